{{/*
The keys with which processes prove their names to each other without TLS (docs/decisions/0020). Each caller and service
share a separate key, derived from one secret that no pod receives.
*/}}

{{/* The source of a component's CALL_KEYS, like storekeep.secretSource. Takes root and name. */}}
{{- define "storekeep.callKeysSource" -}}
{{- $values := .root.Values -}}
{{- $secret := $values.secrets.CALL_SECRET | default dict -}}
{{- $key := printf "%s.CALL_KEYS" .name -}}
{{- if $secret.existingSecret -}}
{{- dict "from" "reference" "secret" $secret.existingSecret "key" $key | toJson -}}
{{- else if or $secret.value $values.generateSecrets -}}
{{- /* The keys also change with the callers, so the pods must restart. */ -}}
{{- $digest := printf "%s %s" $secret.value (include "storekeep.callers" .) | sha256sum -}}
{{- dict "from" "generated" "secret" (include "storekeep.fullname" .root) "key" $key "digest" $digest | toJson -}}
{{- else if $values.existingSecret -}}
{{- dict "from" "reference" "secret" $values.existingSecret "key" $key | toJson -}}
{{- else -}}
{{- dict "from" "missing" | toJson -}}
{{- end -}}
{{- end -}}

{{/* CALL_KEYS of a component, as `deriveCallKeys` in services/common derives it. Takes root, name, calls and secret. */}}
{{- define "storekeep.callKeys" -}}
{{- $pairs := list -}}
{{- range .calls -}}
{{- $pairs = append $pairs (printf "%s:%s" $.name .) -}}
{{- end -}}
{{- if not (has .name (list "gateway" "pages" "admin-tools")) -}}
{{- range include "storekeep.callers" . | fromJsonArray -}}
{{- $pairs = append $pairs (printf "%s:%s" . $.name) -}}
{{- end -}}
{{- end -}}
{{- $entries := list -}}
{{- range $pair := $pairs -}}
{{- $keys := list -}}
{{- range splitList "," $.secret -}}
{{- $secret := trim . -}}
{{- $keys = append $keys (printf "%s %s" $secret (printf "%s %s" $secret $pair | sha256sum) | sha256sum) -}}
{{- end -}}
{{- $entries = append $entries (printf "%s=%s" $pair (join "+" $keys)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end -}}

{{/* The generated CALL_KEYS of all components and the secret they are derived from, as a JSON object. Takes the root. */}}
{{- define "storekeep.generatedCallKeys" -}}
{{- $root := . -}}
{{- $data := dict -}}
{{- $names := include "storekeep.componentNames" . | fromJsonArray -}}
{{- if include "storekeep.runs" (dict "root" . "name" "admin-tools") -}}
{{- $names = append $names "admin-tools" -}}
{{- end -}}
{{- $given := (.Values.secrets.CALL_SECRET | default dict).value -}}
{{- $new := include "storekeep.generateKey" . -}}
{{- $secret := $given | default (include "storekeep.existingValueOr" (dict "root" . "key" "CALL_SECRET" "value" $new)) -}}
{{- range $name := $names -}}
{{- $source := include "storekeep.callKeysSource" (dict "root" $root "name" $name) | fromJson -}}
{{- if and (eq $source.from "generated") (not $root.Values.tls.enabled) -}}
{{- $isTools := eq $name "admin-tools" -}}
{{- $calls := $isTools | ternary (include "storekeep.adminToolsCalls" $root | fromJsonArray) list -}}
{{- if not $isTools -}}
{{- $calls = (include "storekeep.component" (dict "root" $root "name" $name) | fromJson).calls -}}
{{- end -}}
{{- $_ := set $data "CALL_SECRET" $secret -}}
{{- $_ := set $data $source.key (include "storekeep.callKeys" (dict "root" $root "name" $name "calls" $calls "secret" $secret)) -}}
{{- end -}}
{{- end -}}
{{- toJson $data -}}
{{- end -}}
