{{/* A secret that the chart made up earlier, or the text given now. Takes root, key and value. */}}
{{- define "storekeep.keptOr" -}}
{{- $known := lookup "v1" "Secret" .root.Release.Namespace (include "storekeep.fullname" .root) -}}
{{- $old := get (($known | default dict).data | default dict) .key -}}
{{- empty $old | ternary .value ($old | b64dec) -}}
{{- end -}}

{{/* 32 random bytes in base64url. */}}
{{- define "storekeep.newKey" -}}
{{- randBytes 32 | replace "+" "-" | replace "/" "_" | trimSuffix "=" -}}
{{- end -}}

{{/* A new value for a setting. Takes root, name, setting and passwords, the servers' passwords by server and by service. */}}
{{- define "storekeep.newSecret" -}}
{{- $full := include "storekeep.fullname" .root -}}
{{- if eq .setting "TOKEN_KEYS" -}}
1:{{ include "storekeep.newKey" . }}
{{- else if eq .setting "DATABASE_ADMIN_URL" -}}
postgres://postgres:{{ .passwords.postgres }}@{{ $full }}-postgres:5432/storekeep
{{- else if eq .setting "DATABASE_URL" -}}
postgres://storekeep_{{ .name | replace "-" "_" }}:{{ randAlphaNum 32 }}@{{ $full }}-postgres:5432/storekeep
{{- else if eq .setting "NATS_URL" -}}
nats://storekeep:{{ .passwords.nats }}@{{ $full }}-nats:4222
{{- else if eq .setting "REDIS_URL" -}}
redis://:{{ .passwords.redis }}@{{ $full }}-redis:6379
{{- else -}}
{{ include "storekeep.newKey" . }}
{{- end -}}
{{- end -}}
