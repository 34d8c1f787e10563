#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A keystore as SROS2 makes it, with openssl alone: make_keystore.sh SECURITY_CONFIG FOLDER
# Two enclaves: the monitor's with the rights that are shipped, and that of the cell around it, which
# publishes what the monitor reads and reads what it publishes.
set -eu
config=$1 store=$2
mkdir -p "$store/private"
authority() { # NAME
  openssl ecparam -name prime256v1 -genkey -noout -out "$store/private/$1.key.pem"
  openssl req -new -x509 -sha256 -days 30 -subj "/CN=$1" -key "$store/private/$1.key.pem" \
    -out "$store/$1.cert.pem"
}
sign() { # FILE OUT
  openssl smime -sign -text -in "$1" -out "$2" -signer "$store/permissions_ca.cert.pem" \
    -inkey "$store/private/permissions_ca.key.pem"
}
enclave() { # NAME PERMISSIONS
  folder=$store/enclaves/$1
  mkdir -p "$folder"
  openssl ecparam -name prime256v1 -genkey -noout -out "$folder/key.pem"
  openssl req -new -sha256 -subj "/CN=\\/$1" -key "$folder/key.pem" -out "$folder/request.pem"
  openssl x509 -req -sha256 -days 30 -in "$folder/request.pem" -out "$folder/cert.pem" \
    -CA "$store/identity_ca.cert.pem" -CAkey "$store/private/identity_ca.key.pem" \
    -set_serial "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')"
  rm "$folder/request.pem"
  cp "$store/identity_ca.cert.pem" "$store/permissions_ca.cert.pem" "$folder"
  sign "$config/governance.xml" "$folder/governance.p7s"
  sign "$2" "$folder/permissions.p7s"
}
authority identity_ca
authority permissions_ca
# The cell may do the opposite of the monitor, and whatever it likes on /tf.
sed -e 's/closest_point_monitor"/cell"/; s/CN=\/closest_point_monitor/CN=\/cell/' \
  -e 's/<publish>/<SWAP>/; s/<\/publish>/<\/SWAP>/; s/subscribe>/publish>/; s/SWAP>/subscribe>/' \
  "$config/permissions.xml" > "$store/cell.xml"
enclave closest_point_monitor "$config/permissions.xml"
enclave cell "$store/cell.xml"
