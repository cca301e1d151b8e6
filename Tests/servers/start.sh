#!/bin/sh
# Starts the real servers the tests talk to, on loopback, and prints what to export:
#
#     eval "$(Tests/servers/start.sh)"
#     swift test
#     Tests/servers/stop.sh
#
# nginx: plain HTTP, TLS with HTTP/1.1 and HTTP/2, and a port that asks for a client certificate.
# httpbin: under gunicorn. What is running already is left alone. Messages go to standard error.
set -eu

root=${APILAYER_TEST_SERVERS:-${TMPDIR:-/tmp}/apilayer-test-servers-$(id -u)}
http=${APILAYER_TEST_HTTP_PORT:-18080}
https=${APILAYER_TEST_HTTPS_PORT:-18443}
mutual=${APILAYER_TEST_MUTUAL_PORT:-18444}
httpbin=${APILAYER_TEST_HTTPBIN_PORT:-18081}

say() { echo "servers: $*" >&2; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Whether the server of that pid file runs; a number that now belongs to another program does not count.
running() {
    [ -f "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null || return 1
    case $(tr '\0' ' ' <"/proc/$(cat "$1")/cmdline" 2>/dev/null || ps -o command= -p "$(cat "$1")" 2>/dev/null) in
        *nginx* | *gunicorn*) return 0 ;;
        *) return 1 ;;
    esac
}

install_missing() {
    missing=
    command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
    command -v openssl >/dev/null 2>&1 || missing="$missing openssl"
    command -v python3 >/dev/null 2>&1 || missing="$missing python3"
    command -v curl >/dev/null 2>&1 || missing="$missing curl"
    # Debian's own python3 comes without these; any other python3 brings them.
    python3 -c 'import venv, ensurepip' 2>/dev/null || missing="$missing python3-venv"
    [ -z "$missing" ] && return
    say "installing$missing"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q $missing >&2 ||
        { as_root apt-get update -q >&2 && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q $missing >&2; }
}

make_certificates() {
    [ -f "$root/tls/server.pem" ] && return
    mkdir -p "$root/tls"
    (
        cd "$root/tls"
        exec >&2 2>/dev/null
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -keyout ca.key -out ca.pem \
            -subj "/CN=APILayer test authority" -addext "basicConstraints=critical,CA:TRUE" \
            -addext "keyUsage=critical,keyCertSign,cRLSign"
        sign() { # name, subject, days, extensions
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2"
            printf '%s\n' "$4" >"$1.ext"
            openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$3" -out "$1.pem" \
                -extfile "$1.ext"
        }
        sign client "/CN=APILayer test client" 3650 "extendedKeyUsage=clientAuth"
        sign wrongname "/CN=example.invalid" 3650 "subjectAltName=DNS:example.invalid"
        sign server "/CN=localhost" 3650 "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"
    )
}

make_content() {
    [ -f "$root/www/1gb.bin" ] && return
    mkdir -p "$root/www"
    (
        cd "$root/www"
        # 427 bytes: the small answer that everything is measured with.
        printf '%s' '[{"id":1,"name":"Leanne Graham","username":"Bret","email":"leanne@example.com","website":"hilde.org"},{"id":2,"name":"Ervin Howell","username":"Antonette","email":"ervin@example.com","website":"anastasia.net"},{"id":3,"name":"Clementine Bauch","username":"Samantha","email":"clementine@example.com","website":"ramiro.info"},{"id":4,"name":"Patricia Lebsack","username":"Karianne","email":"pat@example.com","website":"kal.biz"}]' >small.json
        head -c 1000000 /dev/zero | tr '\0' 'x' >1mb.bin
        head -c 104857600 /dev/zero >100mb.bin
        # Sparse: a gigabyte that takes no room.
        dd if=/dev/zero of=1gb.bin bs=1 count=0 seek=1073741824 2>/dev/null
    )
}

start_nginx() {
    running "$root/nginx.pid" && return
    mkdir -p "$root/nginx"
    cat >"$root/nginx.conf" <<CONF
daemon on;
pid $root/nginx.pid;
error_log $root/nginx/error.log;
worker_processes 1;
worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http {
    access_log off;
    client_body_temp_path $root/nginx/body;
    proxy_temp_path $root/nginx/proxy;
    fastcgi_temp_path $root/nginx/fastcgi;
    uwsgi_temp_path $root/nginx/uwsgi;
    scgi_temp_path $root/nginx/scgi;
    types { application/json json; application/octet-stream bin; }
    keepalive_requests 1000000;
    keepalive_timeout 75s;
    client_max_body_size 64m;
    sendfile on;
    tcp_nopush on;
    gzip on;
    gzip_types application/json;
    gzip_min_length 1;
    server {
        listen 127.0.0.1:$http backlog=4096;
        listen 127.0.0.1:$https ssl http2 backlog=4096;
        server_name localhost;
        ssl_certificate $root/tls/server.pem;
        ssl_certificate_key $root/tls/server.key;
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_session_cache shared:tls:1m;
        root $root/www;
        location = /small.json { gzip off; }
        location = /gzip.json { alias $root/www/small.json; }
        location = /empty { return 204; }
        location = /version { default_type text/plain; return 200 "\$server_protocol"; }
        location = /connection { default_type text/plain; return 200 "\$connection"; }
        location = /status/404 { return 404 "not found"; }
        location = /redirect { return 302 /small.json; }
        # What was sent comes back: nginx sends the body on to itself, and answers from there.
        location = /echo { proxy_pass http://127.0.0.1:$httpbin/anything; proxy_http_version 1.1; }
    }
    server {
        listen 127.0.0.1:$mutual ssl http2;
        ssl_certificate $root/tls/server.pem;
        ssl_certificate_key $root/tls/server.key;
        ssl_client_certificate $root/tls/ca.pem;
        ssl_verify_client on;
        location / { default_type text/plain; return 200 "\$ssl_client_s_dn"; }
    }
}
CONF
    nginx=$(command -v nginx || echo /usr/sbin/nginx)
    "$nginx" -e "$root/nginx/error.log" -c "$root/nginx.conf" >&2
}

start_httpbin() {
    running "$root/httpbin.pid" && return
    if [ ! -x "$root/venv/bin/gunicorn" ]; then
        say "installing httpbin"
        python3 -m venv "$root/venv" >&2
        "$root/venv/bin/pip" install -q --disable-pip-version-check httpbin gunicorn >&2
    fi
    "$root/venv/bin/gunicorn" --daemon --pid "$root/httpbin.pid" --bind "127.0.0.1:$httpbin" --worker-class gthread \
        --threads 8 --keep-alive 5 --log-file "$root/httpbin.log" httpbin:app >&2
}

wait_for() {
    for _ in $(seq 100); do
        curl -ksf --noproxy '*' -o /dev/null "$1" && return
        sleep 0.1
    done
    say "$1 does not answer"
    exit 1
}

mkdir -p "$root"
install_missing
make_certificates
make_content
start_nginx
start_httpbin
wait_for "http://127.0.0.1:$http/small.json"
wait_for "https://127.0.0.1:$https/small.json"
wait_for "http://127.0.0.1:$httpbin/get"

cat <<VARIABLES
export APILAYER_TEST_SERVERS=$root
export APILAYER_TEST_NGINX_HTTP=http://127.0.0.1:$http
export APILAYER_TEST_NGINX_HTTPS=https://localhost:$https
export APILAYER_TEST_NGINX_MUTUAL=https://localhost:$mutual
export APILAYER_TEST_NGINX_CA=$root/tls/ca.pem
export APILAYER_TEST_CLIENT_CERTIFICATE=$root/tls/client.pem
export APILAYER_TEST_CLIENT_KEY=$root/tls/client.key
export APILAYER_TEST_HTTPBIN=http://127.0.0.1:$httpbin
VARIABLES
