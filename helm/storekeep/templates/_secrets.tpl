{{/*
The source of a secret setting, as JSON: `from` is reference, value, generated or missing; the first three have `secret` and
`key`, and `value` also has `value`. In order of precedence: the component's secrets, the shared secrets, a generated value,
existingSecret. Takes root, name (empty for DATABASE_ADMIN_URL) and setting.
*/}}
{{- define "storekeep.secretSource" -}}
{{- if eq .setting "CALL_KEYS" -}}
{{- include "storekeep.callKeysSource" . -}}
{{- else -}}
{{- $values := .root.Values -}}
{{- $isShared := has .setting (list "NATS_URL" "REDIS_URL" "DATABASE_ADMIN_URL" "OTEL_EXPORTER_OTLP_HEADERS") -}}
{{- $holder := include "storekeep.ownValues" . | fromJson -}}
{{- $own := get ($holder.secrets | default dict) .setting | default dict -}}
{{- $sharedSecret := $isShared | ternary (get $values.secrets .setting | default dict) dict -}}
{{- $isOwn := or $own.value $own.existingSecret -}}
{{- $secret := empty $isOwn | ternary $sharedSecret $own -}}
{{- /* Without a shared URL, each component has its own credentials. */ -}}
{{- $hasOwnKey := or (not $isShared) $isOwn (and (has .setting (list "NATS_URL" "REDIS_URL")) (not $sharedSecret.value)) -}}
{{- $key := empty $hasOwnKey | ternary .setting (printf "%s.%s" .name .setting) -}}
{{- $chartSecret := include "storekeep.fullname" .root -}}
{{- if $secret.existingSecret -}}
{{- dict "from" "reference" "secret" $secret.existingSecret "key" ($secret.key | default .setting) | toJson -}}
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

{{/* A checksum of the component's secrets, so that its pods restart when they change. */}}
{{- define "storekeep.secretChecksum" -}}
{{- $all := list -}}
{{- range concat .component.secretSettings .component.optionalSecretSettings -}}
{{- $all = append $all (include "storekeep.secretSource" (dict "root" $.root "name" $.component.name "setting" .)) -}}
{{- end -}}
{{- $all | toJson | sha256sum -}}
{{- end -}}
