const list = (names: string) => new Set(names.split(/\s+/));

/** Extensions, in lower case, that make a name without a folder a file. */
export const EXTENSIONS = list(
  `ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi pyc ipynb rb erb rake php phtml go rs java kt kts scala groovy
  gradle swift m mm c h cc cpp cxx hpp hh cs csproj sln fs fsx vb ex exs erl hrl hs ml mli clj cljs lua pl pm r jl dart
  nim zig sol sh bash zsh fish ps1 bat cmd sql psql graphql gql proto thrift tf tfvars tfstate hcl nix json jsonc json5
  jsonl ndjson yaml yml toml ini cfg conf config env properties xml xsd xsl plist lock log txt md mdx rst adoc tex bib
  html htm xhtml css scss sass less styl hbs ejs pug tmpl tpl j2 mustache patch diff pem key crt cer csr p12 pfx jks
  asc db sqlite sqlite3 parquet avro orc dump bak tmp swp pid sock service timer socket map wasm wat eml msg ics vcf
  epub psd fig har pcap prisma vcxproj podspec gemspec storyboard xib aab ipa apk odt ods odp ppt pptx doc docx xls xlsx
  rtf pdf csv tsv png jpg jpeg gif svg webp avif heic ico bmp tif tiff mp3 mp4 mov avi mkv wav flac ogg webm zip tar gz
  tgz bz2 xz zst 7z rar dmg exe msi deb rpm iso bin dll so dylib o a jar war ear class whl egg ttf otf woff woff2 glsl
  cu asm s snap rc out pub sig mod sum backup ru`,
);

/** File names without an extension, and those that begin with a dot, in lower case. */
export const FILES = list(
  `dockerfile makefile gemfile rakefile procfile vagrantfile jenkinsfile brewfile podfile caddyfile pipfile justfile
  containerfile codeowners .env .gitignore .gitattributes .gitmodules .dockerignore .npmignore .npmrc .nvmrc .yarnrc
  .bashrc .zshrc .profile .bash_profile .vimrc .tmux.conf .editorconfig .eslintrc .eslintignore .prettierrc .babelrc
  .pylintrc .flake8 .htaccess .netrc .pgpass .python-version .node-version .ruby-version .tool-versions .browserslistrc
  .stylelintrc .swcrc .mailmap .helmignore .terraformrc .curlrc .wgetrc .gitconfig .inputrc .rspec .rubocop.yml`,
);

/** Names with a file's extension that are products or hosts. */
export const NO_FILES = list(
  `node.js next.js vue.js nuxt.js react.js express.js three.js d3.js chart.js discord.js socket.io backbone.js ember.js
  knockout.js p5.js alpine.js day.js moment.js handlebars.js mustache.js angular.js solid.js nest.js koa.js ext.js
  video.js hls.js plotly.js leaflet.js tensorflow.js transformers.js bun.sh brew.sh esm.sh docs.rs asp.net ml.net
  process.env import.meta.env`,
);

/** First folders of absolute paths. Other absolute paths without an extension are routes of an API. */
export const SYSTEM_FOLDERS = list(
  `var etc usr home tmp opt srv proc sys dev root bin sbin lib lib64 mnt media run boot private nix volumes users library
  applications workspace workspaces go snap`,
);

/** Absolute paths of one folder that are hardly routes. */
export const SYSTEM_ROOTS = list("var etc usr tmp opt proc sys dev root mnt srv");

/** First folders of relative paths that have no extension, and two parts or more. */
export const SOURCE_FOLDERS = list(
  "src lib etc usr var node_modules .github .git .vscode cmd internal pkg vendor .cache .config .aws .ssh",
);

/** First folders of relative paths that have no extension, and three parts or more. A branch may begin like them. */
export const COMMON_FOLDERS = list(
  `app apps docs doc test tests spec packages services config scripts public dist build assets components modules crates
  migrations tools examples server client web api deploy infra charts db locales static templates resources`,
);

/** Ends of host names. */
export const DOMAINS = list(
  `com org net io dev app edu gov mil int info biz co uk de fr nl be at ch it es pt se no dk fi pl cz eu us ca au nz jp cn
  kr in br mx ru ua tv me ly gg xyz cloud tech ai site online store shop blog page example test local localhost internal
  lan corp invalid svc cluster vn ie tr gr hu ro il za sg hk tw id th my ph ar cl pe`,
);
