{{/* The names of the services, as a JSON array. */}}
{{- define "storekeep.serviceNames" -}}
{{- (.Files.Get "files/services.yaml" | fromYaml).services | keys | sortAlpha | toJson -}}
{{- end -}}

{{/* The names of the services that this release runs, as a JSON array. */}}
{{- define "storekeep.ownServiceNames" -}}
{{- include "storekeep.runs" (dict "root" . "name" "services") | empty | ternary "[]" (include "storekeep.serviceNames" .) -}}
{{- end -}}

{{/* The names of the services, the gateway and the pages that this release runs, as a JSON array. */}}
{{- define "storekeep.componentNames" -}}
{{- $names := include "storekeep.ownServiceNames" . | fromJsonArray -}}
{{- range $name := list "gateway" "pages" -}}
{{- if include "storekeep.runs" (dict "root" $ "name" $name) -}}
{{- $names = append $names $name -}}
{{- end -}}
{{- end -}}
{{- $names | toJson -}}
{{- end -}}

{{/* The values of a component by its name. Takes root and name. */}}
{{- define "storekeep.ownValues" -}}
{{- $values := .root.Values -}}
{{- $others := dict "gateway" $values.gateway "pages" $values.pages "admin-tools" $values.adminTools -}}
{{- get $others .name | default (get $values.services .name) | default dict | toJson -}}
{{- end -}}

{{/* Where these values are: `gateway`, `pages` or `services.<name>`. */}}
{{- define "storekeep.valuesPath" -}}
{{- has . (list "gateway" "pages") | ternary . (printf "services.%s" .) -}}
{{- end -}}

{{/* The components that use Redis, as a JSON array. */}}
{{- define "storekeep.redisClients" -}}
{{- $names := list -}}
{{- range $name, $known := (.Files.Get "files/services.yaml" | fromYaml).services -}}
{{- if $known.redis -}}
{{- $names = append $names $name -}}
{{- end -}}
{{- end -}}
{{- append ($names | sortAlpha) "gateway" | toJson -}}
{{- end -}}

{{/*
The configuration of a service, the gateway or the pages as JSON: `defaults` overridden by its own values, plus its entry in
files/services.yaml. Takes root and name.
*/}}
{{- define "storekeep.component" -}}
{{- $values := .root.Values -}}
{{- $isGateway := eq .name "gateway" -}}
{{- $isPages := eq .name "pages" -}}
{{- $isService := not (or $isGateway $isPages) -}}
{{- $catalog := .root.Files.Get "files/services.yaml" | fromYaml -}}
{{- $known := $isService | ternary (get $catalog.services .name) (get $catalog .name) | default dict -}}
{{- $own := include "storekeep.ownValues" . | fromJson -}}
{{- $component := mustMergeOverwrite (deepCopy $values.defaults) (deepCopy $own) -}}
{{- $usesRedis := or $isGateway (default false $known.redis) -}}
{{- $secrets := $isService | ternary (list "DATABASE_URL" "ENCRYPTION_KEY" "NATS_URL") list -}}
{{- $secrets = concat $secrets ($usesRedis | ternary (list "REDIS_URL") list) ($known.secrets | default list) -}}
{{- if not $values.tls.enabled -}}
{{- $secrets = append $secrets "CALL_KEYS" -}}
{{- end -}}
{{- /* Empty means as in `defaults`. Helm removes null, and only from values that the chart has, so services have it, too. */ -}}
{{- $count := hasKey $own "replicaCount" | ternary $own.replicaCount "" -}}
{{- if and (hasKey $own "replicaCount") (eq (toString $count) "") -}}
{{- $count = hasKey $values.defaults "replicaCount" | ternary $values.defaults.replicaCount "" -}}
{{- end -}}
{{- $_ := set $component "replicaCount" (kindIs "invalid" $count | ternary "" $count) -}}
{{- $_ := set $component "name" .name -}}
{{- $_ := set $component "isGateway" $isGateway -}}
{{- $_ := set $component "isPages" $isPages -}}
{{- $_ := set $component "isService" $isService -}}
{{- $_ := set $component "calls" ($known.calls | default list) -}}
{{- $_ := set $component "secretSettings" ($secrets | default list) -}}
{{- $_ := set $component "usesRedis" $usesRedis -}}
{{- $optional := concat ($known.optionalSecrets | default list) ($isService | ternary (list "DATABASE_REPLICA_URL") list) -}}
{{- if $values.telemetry.otlp.endpoint -}}
{{- $optional = append $optional "OTEL_EXPORTER_OTLP_HEADERS" -}}
{{- end -}}
{{- $_ := set $component "optionalSecretSettings" ($optional | default list) -}}
{{- $_ := set $component "publicPaths" ($known.publicPaths | default dict) -}}
{{- /* Without a profile provider, customers makes no external calls. */ -}}
{{- $isQuiet := eq (dig "settings" "PROFILE_PROVIDERS" "none" $component) "" -}}
{{- $internetPorts := eq .name "webhooks" | ternary $values.networkPolicy.internet.webhookPorts (list 443) -}}
{{- $callsInternet := and (default false $known.internet) (not $isQuiet) -}}
{{- $_ := set $component "internetPorts" ($callsInternet | ternary $internetPorts list) -}}
{{- $_ := set $component "smtpPorts" (default false $known.smtp | ternary $values.networkPolicy.smtp.ports list) -}}
{{- $_ := set $component "allowedNetworks" (dig "settings" (eq .name "images" | ternary "IMAGES_ALLOWED_NETWORKS" "WEBHOOKS_ALLOWED_NETWORKS") "" $component) -}}
{{- toJson $component -}}
{{- end -}}

{{/* The gRPC port of a service. Takes root and name. */}}
{{- define "storekeep.grpcPort" -}}
{{- $own := (get .root.Values.services .name | default dict).settings | default dict -}}
{{- $own.GRPC_PORT | default .root.Values.serviceSettings.GRPC_PORT | int -}}
{{- end -}}

{{/* The address of a service, which resolves to all its pods for client-side load balancing. Takes root and name. */}}
{{- define "storekeep.address" -}}
dns:///{{ include "storekeep.fullname" .root }}-{{ .name }}:{{ include "storekeep.grpcPort" . }}
{{- end -}}

{{/* The name of the setting for a service's address: `custom-variables` → `CUSTOM_VARIABLES_ADDRESS`. */}}
{{- define "storekeep.addressSetting" -}}
{{- . | upper | replace "-" "_" }}_ADDRESS
{{- end -}}

{{/* TCP ports of a NetworkPolicy rule. Takes their numbers. */}}
{{- define "storekeep.tcpPorts" -}}
{{- range . }}
- port: {{ int . }}
  protocol: TCP
{{- end }}
{{- end -}}
