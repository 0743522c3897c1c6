# Functions of .ci/run and of the stages of the proof.

say() { printf '\n=== %s (%d s so far)\n' "$*" "$SECONDS"; }

# Hides keys, sign-in codes and the admin token of the service.
hide_keys() { sed -E 's/engram_(sk_live|admin|code)_[A-Za-z0-9_]+/KEY/g' "$1"; }

# Installs a package of Debian unless its command is there: need COMMAND PACKAGE
need() {
  command -v "$1" >/dev/null || { apt-get update -q && apt-get install -y -q "$2"; } >/dev/null
}
