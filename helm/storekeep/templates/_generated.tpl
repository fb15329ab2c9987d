{{/* The value already in the chart's Secret, or the given one. Takes root, key and value. */}}
{{- define "storekeep.existingValueOr" -}}
{{- $secret := lookup "v1" "Secret" .root.Release.Namespace (include "storekeep.fullname" .root) -}}
{{- $existing := get (($secret | default dict).data | default dict) .key -}}
{{- empty $existing | ternary .value ($existing | b64dec) -}}
{{- end -}}

{{/* 32 random bytes in base64url. */}}
{{- define "storekeep.generateKey" -}}
{{- randBytes 32 | replace "+" "-" | replace "/" "_" | trimSuffix "=" -}}
{{- end -}}

{{/* Generates the value of a secret setting. Takes root, name, setting and passwords (by key of the Secret). */}}
{{- define "storekeep.generateSecret" -}}
{{- $full := include "storekeep.fullname" .root -}}
{{- if eq .setting "TOKEN_KEYS" -}}
1:{{ include "storekeep.generateKey" . }}
{{- else if eq .setting "DATABASE_ADMIN_URL" -}}
postgres://postgres:{{ get .passwords "postgres.PASSWORD" }}@{{ $full }}-postgres:5432/storekeep
{{- else if eq .setting "DATABASE_URL" -}}
postgres://storekeep_{{ .name | replace "-" "_" }}:{{ randAlphaNum 32 }}@{{ $full }}-postgres:5432/storekeep
{{- else if eq .setting "NATS_URL" -}}
nats://{{ .name }}:{{ get .passwords (printf "%s.NATS_PASSWORD" .name) }}@{{ $full }}-nats:4222
{{- else if eq .setting "REDIS_URL" -}}
redis://{{ .name }}:{{ get .passwords (printf "%s.REDIS_PASSWORD" .name) }}@{{ $full }}-redis:6379
{{- else -}}
{{ include "storekeep.generateKey" . }}
{{- end -}}
{{- end -}}

{{/* The keys of the passwords of the bundled servers in the chart's Secret, as a JSON array. */}}
{{- define "storekeep.bundledPasswordKeys" -}}
{{- $keys := list -}}
{{- if .Values.bundled.postgres.enabled -}}
{{- $keys = append $keys "postgres.PASSWORD" -}}
{{- end -}}
{{- if .Values.bundled.nats.enabled -}}
{{- range include "storekeep.serviceNames" . | fromJsonArray -}}
{{- $keys = append $keys (printf "%s.NATS_PASSWORD" .) -}}
{{- end -}}
{{- end -}}
{{- if .Values.bundled.redis.enabled -}}
{{- range include "storekeep.redisClients" . | fromJsonArray -}}
{{- $keys = append $keys (printf "%s.REDIS_PASSWORD" .) -}}
{{- end -}}
{{- end -}}
{{- $keys | toJson -}}
{{- end -}}

{{/* The users of the bundled Redis, with the hashes of their passwords. Takes root and passwords (by key of the Secret). */}}
{{- define "storekeep.redisUsers" -}}
{{- $users := .root.Files.Get "files/redis-users.acl" -}}
{{- range $name := include "storekeep.redisClients" .root | fromJsonArray -}}
{{- $variable := printf "$%s_REDIS_PASSWORD" ($name | upper | replace "-" "_") -}}
{{- $users = $users | replace $variable (printf "#%s" (get $.passwords (printf "%s.REDIS_PASSWORD" $name) | sha256sum)) -}}
{{- end -}}
{{- $users -}}
{{- end -}}
