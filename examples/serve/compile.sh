#!/bin/sh
# Asks a server what a prompt would be, why something is in it, and what a change would cost.
set -eu
url=${INCIPIT_URL:-http://127.0.0.1:4747}
ask() {
  curl --silent --show-error --fail-with-body "$url$1" \
    --header "authorization: Bearer $INCIPIT_TOKEN" \
    --header "content-type: application/json" \
    --data "$2"
}

ask /api/compile '{ "message": "Hello." }'
ask /api/explain '{ "what": "SOUL.md" }'
ask /api/price '{ "change": { "edit": "SOUL.md", "adds": 100 } }'
