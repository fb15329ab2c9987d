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

{{/* Generates the value of a secret setting. Takes root, name, setting and passwords (by bundled server). */}}
{{- define "storekeep.generateSecret" -}}
{{- $full := include "storekeep.fullname" .root -}}
{{- if eq .setting "TOKEN_KEYS" -}}
1:{{ include "storekeep.generateKey" . }}
{{- else if eq .setting "DATABASE_ADMIN_URL" -}}
postgres://postgres:{{ .passwords.postgres }}@{{ $full }}-postgres:5432/storekeep
{{- else if eq .setting "DATABASE_URL" -}}
postgres://storekeep_{{ .name | replace "-" "_" }}:{{ randAlphaNum 32 }}@{{ $full }}-postgres:5432/storekeep
{{- else if eq .setting "NATS_URL" -}}
nats://storekeep:{{ .passwords.nats }}@{{ $full }}-nats:4222
{{- else if eq .setting "REDIS_URL" -}}
redis://:{{ .passwords.redis }}@{{ $full }}-redis:6379
{{- else -}}
{{ include "storekeep.generateKey" . }}
{{- end -}}
{{- end -}}
