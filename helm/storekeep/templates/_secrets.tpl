{{/*
Where a secret setting of a component comes from, as YAML: `from` is reference, value, generated or nowhere; the first three
have the `secret` and the `key` in it, and `value` has the value. The component's own word counts first, then the shared one,
then existingSecret, then what the chart makes up. Takes root, name (empty for a shared setting) and setting.
*/}}
{{- define "storekeep.secretSource" -}}
{{- $values := .root.Values -}}
{{- $isShared := has .setting (list "NATS_URL" "REDIS_URL" "DATABASE_ADMIN_URL" "OTEL_EXPORTER_OTLP_HEADERS") -}}
{{- $holder := eq .name "gateway" | ternary $values.gateway (get $values.services .name | default dict) -}}
{{- $own := get ($holder.secrets | default dict) .setting | default dict -}}
{{- $shared := $isShared | ternary (get $values.secrets .setting | default dict) dict -}}
{{- $isOwn := or $own.value $own.existingSecret -}}
{{- $given := empty $isOwn | ternary $shared $own -}}
{{- $key := and $isShared (not $isOwn) | ternary .setting (printf "%s.%s" .name .setting) -}}
{{- $made := include "storekeep.fullname" .root -}}
{{- if $given.existingSecret -}}
{{- dict "from" "reference" "secret" $given.existingSecret "key" ($given.key | default .setting) | toYaml -}}
{{- else if $given.value -}}
{{- dict "from" "value" "secret" $made "key" $key "value" $given.value | toYaml -}}
{{- else if include "storekeep.isMadeUp" . -}}
{{- dict "from" "generated" "secret" $made "key" $key | toYaml -}}
{{- else if and $values.existingSecret (ne .setting "DATABASE_ADMIN_URL") -}}
{{- dict "from" "reference" "secret" $values.existingSecret "key" $key | toYaml -}}
{{- else -}}
{{- dict "from" "nowhere" | toYaml -}}
{{- end -}}
{{- end -}}

{{/* Whether the chart makes this setting up: the addresses of its own servers always, keys with generateSecrets. */}}
{{- define "storekeep.isMadeUp" -}}
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

{{/* Whether the chart makes up anything at all. */}}
{{- define "storekeep.makesSecrets" -}}
{{- $bundled := .Values.bundled -}}
{{- or .Values.generateSecrets $bundled.postgres.enabled $bundled.nats.enabled $bundled.redis.enabled | ternary "true" "" -}}
{{- end -}}

{{/* The secret settings of a component as environment variables. Takes root and component. */}}
{{- define "storekeep.secretEnvironment" -}}
{{- range concat .component.secretSettings .component.optionalSecretSettings }}
{{- $source := include "storekeep.secretSource" (dict "root" $.root "name" $.component.name "setting" .) | fromYaml }}
{{- if ne $source.from "nowhere" }}
{{- $isOptional := has . $.component.optionalSecretSettings }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $source.secret }}
      key: {{ $source.key }}
      {{- if $isOptional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What the component's given secrets are, in one word that changes with them, so that its pods start again. */}}
{{- define "storekeep.secretChecksum" -}}
{{- $all := list -}}
{{- range concat .component.secretSettings .component.optionalSecretSettings -}}
{{- $all = append $all (include "storekeep.secretSource" (dict "root" $.root "name" $.component.name "setting" .)) -}}
{{- end -}}
{{- $all | toJson | sha256sum -}}
{{- end -}}
