const list = (names: string) => new Set(names.split(/\s+/));

/** Products whose name a number may follow as its version, in lower case. */
export const VERSIONED = list(
  `node nodejs node.js deno bun npm pnpm yarn python pip poetry conda ruby rails rubygems bundler php laravel symfony
  composer java jdk jre openjdk kotlin scala groovy gradle maven spring go golang rust cargo swift xcode clang gcc llvm
  cmake perl elixir erlang otp phoenix haskell ghc ocaml lua julia dart flutter r typescript javascript ecmascript react
  preact angular angularjs vue nuxt next next.js vue.js svelte sveltekit solid astro remix ember jquery bootstrap
  tailwind vite webpack rollup esbuild parcel babel eslint prettier biome jest vitest mocha cypress playwright selenium
  puppeteer express fastify nestjs hono koa django flask fastapi pydantic numpy pandas scipy pytorch tensorflow keras
  jax cuda cudnn spark hadoop kafka flink airflow postgres postgresql mysql mariadb sqlite mongodb redis valkey memcached
  cassandra elasticsearch opensearch clickhouse cockroachdb duckdb neo4j influxdb oracle db2 rabbitmq nats nginx apache
  httpd caddy traefik haproxy envoy istio tomcat jetty docker podman containerd kubernetes k8s k3s minikube helm
  terraform opentofu pulumi ansible puppet chef vagrant packer consul vault nomad jenkins gitlab github gitea grafana
  prometheus loki kibana logstash sentry ubuntu debian fedora centos rhel alpine arch suse opensuse almalinux rocky nixos
  freebsd openbsd linux kernel windows macos mac ios ipados watchos tvos android chromeos firefox chrome chromium safari
  edge opera electron openssl openssh libressl curl wget git svn bash zsh fish powershell vim neovim emacs vscode
  intellij pycharm webstorm eclipse unity unreal godot blender gimp photoshop illustrator figma sketch office excel word
  outlook wordpress drupal joomla magento shopify prisma drizzle typeorm sequelize hibernate junit pytest rspec mypy ruff
  black swagger openapi graphql grpc protobuf wrangler supabase firebase tls ssl usb bluetooth opengl vulkan directx
  gpt claude gemini llama mistral qwen .net dotnet c# zod lodash axios requests urllib3 pillow celery gunicorn uvicorn
  sqlalchemy alembic sidekiq devise log4j jackson guava netty`,
);

/** Products whose versions are years. */
export const VERSIONED_BY_YEAR = list("server office studio ubuntu autocad photoshop excel");

/** Names written like names in code. In lower case. */
export const PRODUCTS = list(
  `github gitlab youtube javascript typescript coffeescript applescript actionscript oauth postgresql mysql nosql mongodb
  mariadb sqlite graphql dynamodb couchdb influxdb cockroachdb duckdb questdb scylladb surrealdb documentdb cosmosdb
  rocksdb leveldb timescaledb planetscale clickhouse bigquery rabbitmq activemq zeromq linkedin paypal iphone ipad ipados
  ios macos watchos tvos visionos icloud imessage imac itunes ibooks airpods airtag airdrop macbook facetime homekit
  carplay ebay jquery grpc whatsapp tiktok openai chatgpt deepseek langchain langgraph llamaindex huggingface deepmind
  cloudflare cloudfront cloudwatch cloudformation cloudtrail cloudinary openapi openssl openssh openid openvpn opentofu
  openshift openstack opensearch opentelemetry openoffice libreoffice libressl onedrive onenote sharepoint powerpoint
  powershell powerbi quickbooks hubspot salesforce servicenow docusign mailchimp sendgrid wordpress woocommerce
  bigcommerce prestashop jetbrains intellij pycharm webstorm phpstorm rubymine datagrip goland vscode codepen codesandbox
  stackblitz stackoverflow codespaces tensorflow tensorboard pytorch numpy scipy matplotlib junit testng pypi rubygems
  nuget websocket websockets webrtc webassembly webhook webhooks webgl webgpu webpack devops devsecops mlops gitops finops
  devtools firefox playstation geforce digitalocean circleci teamcity bitbucket sonarqube sonarcloud elasticsearch
  redshift datadog newrelic pagerduty opsgenie fastapi nestjs nextjs vuejs nodejs latex tex mathjax mathml mcdonald
  mckinsey deepl mastercard fedex soundcloud duckduckgo lastpass bitwarden hashicorp redhat centos freebsd openbsd netbsd
  nixos archlinux almalinux coreos wireguard nordvpn expressvpn anydesk teamviewer vmware virtualbox truenas godaddy
  namecheap backblaze dropbox camelcase pascalcase snakecase wifi lorawan mcafee hyperloglog autocad solidworks
  photoshop indesign lightroom figjam productboard clickup basecamp airtable typeform surveymonkey wetransfer gopro
  bmw vw uber doordash deliveroo airbnb bookmyshow jsdoc tsdoc javadoc phpdoc jsonpath xpath yaml toml rescript purescript
  clojurescript livescript moonscript objectivec visualbasic autohotkey imagemagick ffmpeg graphicsmagick mapreduce
  databricks mlflow lightgbm xgboost catboost keepass keepassxc protonmail protonvpn fastmail icloud+ powerapps
  sparkpost mailgun postgis postgrest pgbouncer pgadmin phpmyadmin phpunit gitbook readthedocs swiftui uikit appkit
  jetpack rxjs mobx restful readme changelog todo nasdaq macports homebrew dotnet signalr blazor xamarin winforms wpf
  ecmascript esbuild vitest eslint tslint stylelint typedoc styleguide biomejs nativescript reactjs angularjs threejs
  blackberry thinkpad ideapad chromebook chromeos chromecast youtubers coinbase metamask ethereum bitcoin defi paas
  snapchat crossfit hellofresh touchid faceid tripadvisor easyjet bluejeans gotomeeting ringcentral zoominfo sugarcrm
  freshdesk zendesk bamboohr quicktime coreldraw garageband logmein turbotax myfitnesspal openstreetmap devexpress nextauth
  codemirror storybook appstore playstore dockerhub fontawesome graphiql leetcode hackernews hackerrank hackerone bugcrowd
  sentinelone crowdstrike fireeye mailhog posthog mixpanel launchdarkly sumologic logrocket fullstory hotjar statuspage
  pagespeed gitkraken sourcetree tortoisegit winscp filezilla mobaxterm tableplus dbeaver heidisql redisinsight robomongo
  indexeddb localstack cloudbees buildkite testflight testrail browserstack saucelabs codecov codeql dependabot renovatebot
  semaphoreci travisci argocd fluxcd openfaas openwhisk knative minio ceph rancher longhorn nomadcoin mapbox arcgis
  openlayers leafletjs threatmodeler proxmox esxi hyperv citrix xenserver bytedance alibaba wechat linkedin soundhound
  containercreating podinitializing notready schedulingdisabled memorypressure diskpressure configmap statefulset
  daemonset replicaset cronjob nodeport clusterip loadbalancer laserjet officejet deskjet ecotank ipsec dnssec webauthn
  freertos javafx frontend backend login logout signup plugin plugins checkin website webpage homepage username password
  timestamp dropdown popup bitlocker winrar powertoys displayport firewire thunderbolt intellisense codelens appdata
  audiobook ebook ebooks podcasts newsletter microservices microsoft netapp netflix nginx unix posix bigtable nvidia amd onlyoffice nextcloud owncloud`,
);
