"""Verifies the request on stdin and prints "verified" or "rejected"."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

request = json.load(sys.stdin)
try:
    Webhook(request["secret"]).verify(request["body"], request["headers"])
    print("verified")
except WebhookVerificationError:
    print("rejected")
