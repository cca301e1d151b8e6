#!/bin/sh
# Stops the servers that start.sh started, and nothing else.
set -eu

root=${APILAYER_TEST_SERVERS:-${TMPDIR:-/tmp}/apilayer-test-servers-$(id -u)}

for name in nginx httpbin; do
    file=$root/$name.pid
    [ -f "$file" ] || continue
    pid=$(cat "$file")
    # A number that now belongs to another program is left alone.
    case $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null || ps -o command= -p "$pid" 2>/dev/null) in
        *nginx* | *gunicorn*) kill "$pid" 2>/dev/null || true ;;
    esac
    for _ in $(seq 50); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    rm -f "$file"
done
