#!/usr/bin/env bash
# Verifies requests of this service with the Python and Go libraries of Standard Webhooks, which it installs into a
# temporary folder. Needs python3, Go, access to their registries, and Node 26, whose path NODE can name. Run from the root of
# the repository:
#   services/webhooks/test/verifiers/verify.sh
set -euo pipefail
here=services/webhooks/test/verifiers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet standardwebhooks
mkdir "$work/go"
cp "$here/main.go" "$work/go/"
(cd "$work/go" && go mod init verify && go get github.com/standard-webhooks/standard-webhooks/libraries/go@latest && go build -o verify .) 2> "$work/go.log" || { cat "$work/go.log"; exit 1; }

# Two secrets, as during a rotation. A request is printed as it is, or with a changed body (negative control).
render() {
  "${NODE:-node}" --input-type=module -e '
    import { renderRequest } from "./services/webhooks/src/adapters/formats/index.ts"
    const secrets = [1, 2].map((fill) => `whsec_${Buffer.alloc(32, fill).toString("base64")}`)
    const payload = JSON.stringify({ type: "ban.created", timestamp: new Date().toISOString(), data: { reason: "ä 🦊 \"x\"" } })
    const event = { id: "0193452b-5a3c-7000-8000-000000000000", type: "ban.created", payload }
    const { headers, body } = renderRequest(event, { format: process.argv[1], secrets, headers: {} }, new Date())
    const changed = process.argv[3] === "changed" ? `${body} ` : body
    console.log(JSON.stringify({ secret: secrets[Number(process.argv[2])], headers, body: changed }))' "$@"
}

failed=0
check() { # <library> <command> <expected> <arguments of render>
  local library=$1 verifier=$2 expected=$3 result
  shift 3
  result=$(render "$@" | $verifier)
  echo "$library  format $1  secret $2  ${3:-unchanged}: $result"
  [ "$result" = "$expected" ] || failed=1
}
for format in standard discord; do
  for secret in 0 1; do
    check Python "$work/python/bin/python $here/verify.py" verified "$format" "$secret"
    check Go "$work/go/verify" verified "$format" "$secret"
  done
  check Python "$work/python/bin/python $here/verify.py" rejected "$format" 0 changed
  check Go "$work/go/verify" rejected "$format" 0 changed
done
exit $failed
