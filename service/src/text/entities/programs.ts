/** Programs that may begin a command. */
export const PROGRAMS: ReadonlySet<string> = new Set(
  `alembic ansible ansible-playbook apk apt apt-get aptitude argocd artisan asdf awk aws az base64 bash bat
  bazel brew bun bundle bunx cargo cat cd certbot chmod chown chroot clang clear cmake code composer conda
  consul cp crontab curl cut cypress date dd deno df diff dig dir direnv dnf doas docker docker-compose
  dotnet du echo egrep eksctl env esbuild eslint etcdctl exit export fastlane fdisk ffmpeg ffprobe find
  firebase flake8 flask flutter fly flyctl free fuser g++ gcc gcloud gdb gem gh git glab go gofmt gpg
  gradle gradlew grep gsutil gunicorn gunzip gzip head helm heroku history hostname htop http httpie
  ifconfig ip iptables java javac jest journalctl jq jupyter k9s kill killall kind kubectl kubectx
  kustomize launchctl ldd less ln locate ls lsblk lscpu lsof make man mc md5sum minikube mix mkdir mkfs
  mongo mongod mongosh mongodump mount mv mvn mypy mysql mysqladmin mysqldump nano nc net netlify netstat
  nginx ng nice nmap node nodemon nohup npm npx nslookup nvim nvm nx openssl pacman patch pg_dump
  pg_restore pgrep php ping pip pip3 pipenv pipx pkill pm2 pnpm podman poetry powershell prettier printenv
  prisma ps psql pulumi pwd pwsh pyenv pytest python python2 python3 rails rake rbenv react-native
  redis-cli rg rm rmdir rsync ruby ruff rustc rustup rvm s3cmd sam sbt scp screen sed sentry-cli seq
  serverless service sftp sh sha256sum shasum shred shutdown sleep snap sort source split sqlite3 ss ssh
  ssh-add ssh-copy-id ssh-keygen stat strace stripe su sudo supabase supervisorctl svn swift sysctl
  systemctl tail tar tcpdump tee telnet terraform tmux top touch tr traceroute tree truncate tsc tsx turbo
  tox ufw ulimit umount uname uniq unzip update-alternatives uptime useradd usermod uv uvicorn uvx vagrant
  vault vercel vi vim virtualenv vite vitest watch wc webpack wget which who whoami winget wrangler xargs
  xcode-select xcodebuild xcrun xz yarn yum zip zsh zypper reboot nmcli mkcert psexec reg sc schtasks
  taskkill tasklist ipconfig robocopy del choco scoop`.split(/\s+/),
);

/** Programs after which the command that they run begins. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  "sudo doas time env nohup nice npx pnpx bunx exec watch xargs".split(" "),
);

/** Programs whose argument `user@host` is no address of email. */
export const REMOTE: ReadonlySet<string> = new Set("ssh scp sftp rsync mosh ssh-copy-id".split(" "));

/** Programs whose arguments are containers, branches, databases or hosts, and not names in code. */
export const NAMING: ReadonlySet<string> = new Set(
  `git docker docker-compose podman kubectl helm psql createdb dropdb pg_dump pg_restore mysql mysqldump mongosh systemctl
  npm yarn pnpm pip pip3 uv poetry cargo gem brew apt apt-get composer tmux useradd ssh scp rsync`.split(
    /\s+/,
  ),
);

/** Languages of code blocks that have a command on each line. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash zsh shell fish ksh powershell pwsh ps1 bat cmd batch console terminal shell-session shellsession".split(
    " ",
  ),
);

/** Languages of code blocks that have the output of commands as well. */
export const SESSIONS: ReadonlySet<string> = new Set(
  "console terminal shell-session shellsession".split(" "),
);
