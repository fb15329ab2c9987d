#!/usr/bin/env bash
# Runs the whole system from its images, beside an installation on the same machine: starts it with Docker Compose, runs the
# sign-in flow of `helm test` in the admin-tools image, and checks that every process exits with code 0. Builds no image:
# `npm run images -- build` does.
set -euo pipefail
cd "$(dirname "$0")/../.."

export COMPOSE_PROJECT_NAME=storekeep-try PUBLISHED_PORT="${PUBLISHED_PORT:-18080}" PUBLISHED_PAGES_PORT="${PUBLISHED_PAGES_PORT:-18081}"
compose() { docker compose --file deploy/compose.yaml "$@"; }

node deploy/compose-secrets.mjs
trap 'compose down --volumes' EXIT
compose up --no-build --wait
compose run --rm --no-TTY --env GATEWAY_URL=http://gateway:8080 --env STORE_SLUG=try --entrypoint node \
  admin-tools --input-type=module - < helm/storekeep/files/sign-in-test.mjs

compose stop
failed="$(compose ps --all --format '{{.Service}} {{.ExitCode}}' | grep -v ' 0$' || true)"
if [ -n "$failed" ]; then
  echo "Processes with another exit code than 0:" "$failed" >&2
  exit 1
fi
