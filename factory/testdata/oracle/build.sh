#!/bin/sh
# Builds oracle-d1 to oracle-d5 into the folder given as $1: the Go library of each dialect (Go and its module proxy needed).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build() {
  mkdir -p "$out/$1"
  cd "$out/$1"
  sed "s#YAML_MODULE#$2#" "$here/main.go.txt" > main.go
  [ -f go.mod ] || go mod init "oracle/$1"
  go get "$2@$3"
  go build -o "../oracle-$1" .
}
out=$(mkdir -p "$1" && cd "$1" && pwd)
build d1 gopkg.in/yaml.v3 v3.0.1
build d2 go.yaml.in/yaml/v4 v4.0.0-rc.3
build d3 go.yaml.in/yaml/v4 v4.0.0-rc.4
build d4 go.yaml.in/yaml/v4 v4.0.0-rc.6
build d5 go.yaml.in/yaml/v4 v4.0.0-rc.7
