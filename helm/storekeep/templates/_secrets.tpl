{{/*
The source of a secret setting, as JSON: `from` is reference, value, generated or missing; the first three have `secret` and
`key`, `value` also has `value`, and a reference to a Secret without a URL has `parts`, the entry of the values. In order of precedence: the component's secrets, the shared secrets, a generated value,
existingSecret. Takes root, name (empty for DATABASE_ADMIN_URL) and setting.
*/}}
{{- define "storekeep.secretSource" -}}
{{- if eq .setting "CALL_KEYS" -}}
{{- include "storekeep.callKeysSource" . -}}
{{- else -}}
{{- $values := .root.Values -}}
{{- $isShared := has .setting (list "DATABASE_URL" "DATABASE_REPLICA_URL" "MIGRATIONS_DATABASE_URL" "NATS_URL" "REDIS_URL" "DATABASE_ADMIN_URL" "OTEL_EXPORTER_OTLP_HEADERS") -}}
{{- $holder := include "storekeep.ownValues" . | fromJson -}}
{{- $own := get ($holder.secrets | default dict) .setting | default dict -}}
{{- $sharedSecret := $isShared | ternary (get $values.secrets .setting | default dict) dict -}}
{{- $isOwn := or $own.value $own.existingSecret -}}
{{- $secret := empty $isOwn | ternary $sharedSecret $own -}}
{{- /* Without a shared URL, each component has its own credentials. */ -}}
{{- $hasOwnKey := or (not $isShared) $isOwn (and (has .setting (list "DATABASE_URL" "DATABASE_REPLICA_URL" "MIGRATIONS_DATABASE_URL" "NATS_URL" "REDIS_URL")) (not $sharedSecret.value)) -}}
{{- $key := empty $hasOwnKey | ternary .setting (printf "%s.%s" .name .setting) -}}
{{- $chartSecret := include "storekeep.fullname" .root -}}
{{- if $secret.existingSecret -}}
{{- $name := replace "{component}" .name $secret.existingSecret -}}
{{- $parts := empty $secret.passwordKey | ternary dict $secret -}}
{{- dict "from" "reference" "secret" $name "key" ($secret.passwordKey | default $secret.key | default .setting) "parts" $parts | toJson -}}
{{- else if $secret.value -}}
{{- dict "from" "value" "secret" $chartSecret "key" $key "value" $secret.value | toJson -}}
{{- else if include "storekeep.isGenerated" . -}}
{{- dict "from" "generated" "secret" $chartSecret "key" $key | toJson -}}
{{- else if and $values.existingSecret (ne .setting "DATABASE_ADMIN_URL") -}}
{{- dict "from" "reference" "secret" $values.existingSecret "key" $key | toJson -}}
{{- else -}}
{{- dict "from" "missing" | toJson -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether the chart generates this setting: URLs of bundled servers always, keys with generateSecrets. */}}
{{- define "storekeep.isGenerated" -}}
{{- $bundled := .root.Values.bundled -}}
{{- if has .setting (list "DATABASE_URL" "DATABASE_ADMIN_URL") -}}
{{- $bundled.postgres.enabled | ternary "true" "" -}}
{{- else if eq .setting "NATS_URL" -}}
{{- $bundled.nats.enabled | ternary "true" "" -}}
{{- else if eq .setting "REDIS_URL" -}}
{{- $bundled.redis.enabled | ternary "true" "" -}}
{{- else if has .setting (list "ENCRYPTION_KEY" "API_KEY_PEPPER" "TOKEN_KEYS") -}}
{{- .root.Values.generateSecrets | ternary "true" "" -}}
{{- end -}}
{{- end -}}

{{/* Whether the chart generates any secret. */}}
{{- define "storekeep.generatesSecrets" -}}
{{- $bundled := .Values.bundled -}}
{{- or .Values.generateSecrets $bundled.postgres.enabled $bundled.nats.enabled $bundled.redis.enabled | ternary "true" "" -}}
{{- end -}}

{{/* The secret settings of a component as environment variables. Takes root and component. */}}
{{- define "storekeep.secretEnv" -}}
{{- range concat .component.secretSettings .component.optionalSecretSettings }}
{{- $source := include "storekeep.secretSource" (dict "root" $.root "name" $.component.name "setting" .) | fromJson }}
{{- if ne $source.from "missing" }}
{{- include "storekeep.settingEnv" (dict "setting" . "source" $source "isOptional" (has . $.component.optionalSecretSettings)) }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
A secret setting as environment variables. Of a Secret without a URL, the process encodes user and password into the URL of the
other parts, in which Kubernetes replaces `$(…)`. Takes setting, source and isOptional.
*/}}
{{- define "storekeep.settingEnv" -}}
{{- $parts := .source.parts -}}
{{- if $parts -}}
{{- $prefix := trimSuffix "_URL" .setting -}}
{{- range $part, $key := dict "USER" $parts.userKey "PASSWORD" $parts.passwordKey "HOST" $parts.hostKey "PORT" $parts.portKey "NAME" $parts.databaseKey "SENTINEL_USER" $parts.sentinelUserKey "SENTINEL_PASSWORD" $parts.sentinelPasswordKey }}
{{- if $key }}
- name: {{ $prefix }}_{{ $part }}
  valueFrom:
    secretKeyRef:
      name: {{ $.source.secret }}
      key: {{ $key }}
{{- end }}
{{- end }}
{{- $server := get (dict "NATS" "nats" "REDIS" "redis") $prefix | default "postgres" }}
{{- $scheme := get (dict "nats" "tls" "redis" "rediss") ($parts.tls | default false | ternary $server "") | default $server }}
{{- $kind := empty $parts.sentinelMaster | not | ternary "+sentinel" ($parts.cluster | default false | ternary "+cluster" "") }}
{{- $port := empty $parts.portKey | ternary ($parts.port | default (include "storekeep.defaultPort" (dict "server" $server "entry" $parts)) | toString) (printf "$(%s_PORT)" $prefix) }}
{{- $hosts := list }}
{{- range splitList "," (empty $parts.hostKey | ternary $parts.host (printf "$(%s_HOST)" $prefix)) }}
{{- $hosts = append $hosts (printf "%s:%s" . $port) }}
{{- end }}
{{- $path := "" }}
{{- if eq $server "postgres" }}
{{- $path = print "/" (empty $parts.databaseKey | ternary $parts.database (printf "$(%s_NAME)" $prefix)) }}
{{- with $parts.parameters }}
{{- $path = print $path "?" . }}
{{- end }}
{{- end }}
{{- with $parts.sentinelMaster }}
{{- $path = print "/?master=" . }}
{{- end }}
- name: {{ .setting }}
  value: {{ printf "%s%s://%s%s" $scheme $kind (join "," $hosts) $path | quote }}
{{- else }}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ .source.secret }}
      key: {{ .source.key }}
      {{- if .isOptional }}
      optional: true
      {{- end }}
{{- end }}
{{- end -}}

{{/* The port of a server whose URL or parts name none. Takes server and entry. */}}
{{- define "storekeep.defaultPort" -}}
{{- $isSentinel := or (not (empty .entry.sentinelMaster)) (regexMatch "^rediss?\\+sentinel://" (.entry.value | default "")) -}}
{{- $isSentinel | ternary "26379" (include "storekeep.bundledPort" .server) -}}
{{- end -}}

{{/* A checksum of the component's secrets, so that its pods restart when they change. */}}
{{- define "storekeep.secretChecksum" -}}
{{- $all := list -}}
{{- range concat .component.secretSettings .component.optionalSecretSettings -}}
{{- $all = append $all (include "storekeep.secretSource" (dict "root" $.root "name" $.component.name "setting" .)) -}}
{{- end -}}
{{- $all | toJson | sha256sum -}}
{{- end -}}
