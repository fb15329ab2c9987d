package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Verifies the request on stdin and prints "verified" or "rejected".
func main() {
	var request struct {
		Secret  string
		Body    string
		Headers map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		panic(err)
	}
	webhook, err := standardwebhooks.NewWebhook(request.Secret)
	if err != nil {
		panic(err)
	}
	headers := http.Header{}
	for name, value := range request.Headers {
		headers.Set(name, value)
	}
	if webhook.Verify([]byte(request.Body), headers) == nil {
		fmt.Println("verified")
	} else {
		fmt.Println("rejected")
	}
}
