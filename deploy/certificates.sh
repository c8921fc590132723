#!/bin/sh
# Makes what the scheduler, its workers and the servers show each other, in the folder that is named:
#   sh deploy/certificates.sh deploy/settings/cluster
# An authority of their own (ca.pem), and one certificate with its key for all machines. Whoever has the key may run
# anything on the workers, so it belongs on these machines alone. The authority's own key is not kept: to let in another
# machine, give it the same files; to shut one out, make them anew.
set -eu
umask 077
mkdir -p "$1" && cd "$1"
days=3650
new() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "$@" 2>/dev/null; }
new "/CN=Attention Lab, trainings" -x509 -days $days -keyout authority.key -out ca.pem
new "/CN=attention-lab" -keyout key.pem -out request.pem
openssl x509 -req -in request.pem -CA ca.pem -CAkey authority.key -CAcreateserial -days $days -out cert.pem 2>/dev/null
rm -f authority.key request.pem ca.srl
