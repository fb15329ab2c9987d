{{/* The names of the services, as YAML `names: []`. */}}
{{- define "storekeep.serviceNames" -}}
names: {{ .Files.Get "files/services.yaml" | fromYaml | keys | sortAlpha | toJson }}
{{- end -}}

{{/* The names of services and gateway, as YAML `names: []`. */}}
{{- define "storekeep.componentNames" -}}
names: {{ append (include "storekeep.serviceNames" . | fromYaml).names "gateway" | toJson }}
{{- end -}}

{{/* The names of those who use Redis, as YAML `names: []`. */}}
{{- define "storekeep.redisUsers" -}}
{{- $names := list -}}
{{- range $name, $known := .Files.Get "files/services.yaml" | fromYaml -}}
{{- if $known.redis -}}
{{- $names = append $names $name -}}
{{- end -}}
{{- end -}}
names: {{ append ($names | sortAlpha) "gateway" | toJson }}
{{- end -}}

{{/*
A service or the gateway as YAML: its values over `defaults`, and what the chart knows about it.
Takes root and name.
*/}}
{{- define "storekeep.component" -}}
{{- $values := .root.Values -}}
{{- $isGateway := eq .name "gateway" -}}
{{- $known := get (.root.Files.Get "files/services.yaml" | fromYaml) .name | default dict -}}
{{- $own := $isGateway | ternary $values.gateway (get $values.services .name | default dict) -}}
{{- $component := mustMergeOverwrite (deepCopy $values.defaults) (deepCopy $own) -}}
{{- $names := (include "storekeep.serviceNames" .root | fromYaml).names -}}
{{- $usesRedis := or $isGateway (default false $known.redis) -}}
{{- $secrets := $isGateway | ternary list (list "DATABASE_URL" "ENCRYPTION_KEY" "NATS_URL") -}}
{{- $secrets = concat $secrets ($usesRedis | ternary (list "REDIS_URL") list) ($known.secrets | default list) -}}
{{- $_ := set $component "name" .name -}}
{{- $_ := set $component "isGateway" $isGateway -}}
{{- $_ := set $component "program" ($isGateway | ternary "gateway/src/main.ts" (printf "services/%s/src/main.ts" .name)) -}}
{{- $_ := set $component "calls" ($isGateway | ternary $names (include "storekeep.calls" $known | fromYaml).names) -}}
{{- $_ := set $component "secretSettings" $secrets -}}
{{- $_ := set $component "usesRedis" $usesRedis -}}
{{- $optional := $known.optionalSecrets | default list -}}
{{- if $values.telemetry.otlp.endpoint -}}
{{- $optional = append $optional "OTEL_EXPORTER_OTLP_HEADERS" -}}
{{- end -}}
{{- $_ := set $component "optionalSecretSettings" $optional -}}
{{- $_ := set $component "publicPaths" ($known.publicPaths | default dict) -}}
{{- $_ := set $component "internet" (and $known.internet $component.settings.PROFILE_PROVIDERS | empty | not) -}}
{{- toYaml $component -}}
{{- end -}}

{{/* The port of a service's gRPC. Takes root and name. */}}
{{- define "storekeep.grpcPort" -}}
{{- $own := (get .root.Values.services .name | default dict).settings | default dict -}}
{{- $own.GRPC_PORT | default .root.Values.serviceSettings.GRPC_PORT | int -}}
{{- end -}}

{{/* Where others reach a service: all its pods by one name, in turns. Takes root and name. */}}
{{- define "storekeep.address" -}}
dns:///{{ include "storekeep.fullname" .root }}-{{ .name }}:{{ include "storekeep.grpcPort" . }}
{{- end -}}

{{/* The setting that holds a service's address: `custom-variables` → `CUSTOM_VARIABLES_ADDRESS`. */}}
{{- define "storekeep.addressSetting" -}}
{{- . | upper | replace "-" "_" }}_ADDRESS
{{- end -}}

{{/* Those that the pods of a service call, as YAML `names: []`. Takes the service's entry in files/services.yaml. */}}
{{- define "storekeep.calls" -}}
names: {{ concat (.calls | default list) (.adminCalls | default list) | toJson }}
{{- end -}}
