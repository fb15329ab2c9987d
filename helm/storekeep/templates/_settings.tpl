{{/* The non-secret settings of a component, as a JSON object of strings without empty ones. Takes root and component. */}}
{{- define "storekeep.settings" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $settings := deepCopy ($component.settings | default dict) -}}
{{- if $component.isGateway -}}
{{- $_ := set $settings "HOST" "0.0.0.0" -}}
{{- $_ := set $settings "PUBLIC_BASE_URL" $root.Values.publicBaseUrl -}}
{{- $_ := set $settings "CHECKOUT_BASE_URL" (include "storekeep.pageUrls" $root | fromJson).CHECKOUT_BASE_URL -}}
{{- $_ := set $settings "HSTS_MAX_AGE_SECONDS" (include "storekeep.hstsMaxAge" (dict "settings" $settings "urls" (list $root.Values.publicBaseUrl))) -}}
{{- $_ := set $settings "RATE_LIMIT_REPLICAS" (include "storekeep.maxReplicas" $component) -}}
{{- $_ := set $settings "SHUTDOWN_DELAY_MS" (include "storekeep.delayMs" .) -}}
{{- else if $component.isPages -}}
{{- $urls := include "storekeep.pageUrls" $root | fromJson -}}
{{- $settings = mustMergeOverwrite $settings $urls -}}
{{- $_ := set $settings "HSTS_MAX_AGE_SECONDS" (include "storekeep.hstsMaxAge" (dict "settings" $settings "urls" (values $urls))) -}}
{{- $_ := set $settings "HOST" "0.0.0.0" -}}
{{- $_ := set $settings "TRUSTED_PROXIES" ($settings.TRUSTED_PROXIES | default $root.Values.gateway.settings.TRUSTED_PROXIES) -}}
{{- $_ := set $settings "SHUTDOWN_DELAY_MS" (include "storekeep.delayMs" .) -}}
{{- else -}}
{{- $settings = mustMergeOverwrite (deepCopy $root.Values.serviceSettings) $settings -}}
{{- $_ := set $settings "GRPC_HOST" "0.0.0.0" -}}
{{- $_ := set $settings "CELL" (toString $root.Values.cell) -}}
{{- $settings = mustMergeOverwrite $settings (include "storekeep.natsSettings" (dict "root" $root "name" $component.name) | fromJson) -}}
{{- $_ := set $settings "MIGRATE" ($root.Values.migrations.enabled | ternary "false" "true") -}}
{{- range $setting, $url := include "storekeep.pageUrls" $root | fromJson -}}
{{- if or (hasKey $component.publicPaths $setting) (and (eq $component.name "emails") (eq $setting "CHECKOUT_BASE_URL")) -}}
{{- $_ := set $settings $setting $url -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $component.usesRedis -}}
{{- $_ := set $settings "REDIS_KEY_PREFIX" $root.Values.serviceSettings.REDIS_KEY_PREFIX -}}
{{- else -}}
{{- $_ := unset $settings "REDIS_KEY_PREFIX" -}}
{{- end -}}
{{- with $root.Values.telemetry -}}
{{- if .otlp.endpoint -}}
{{- $_ := set $settings "OTEL_EXPORTER_OTLP_ENDPOINT" .otlp.endpoint -}}
{{- $_ := set $settings "OTEL_TRACES_SAMPLER_ARG" (include "storekeep.decimal" .samplingRatio) -}}
{{- end -}}
{{- end -}}
{{- if $component.isService -}}
{{- range $component.calls -}}
{{- $_ := set $settings (include "storekeep.addressSetting" .) (include "storekeep.address" (dict "root" $root "name" .)) -}}
{{- end -}}
{{- else -}}
{{- $settings = mustMergeOverwrite $settings (include "storekeep.cellSettings" . | fromJson) -}}
{{- end -}}
{{- $tls := dict "root" $root "name" $component.name "isServer" $component.isService -}}
{{- $settings = mustMergeOverwrite $settings (include "storekeep.tlsSettings" $tls | fromYaml) -}}
{{- $result := dict -}}
{{- range $setting, $value := $settings -}}
{{- with include "storekeep.settingText" $value -}}
{{- $_ := set $result $setting . -}}
{{- end -}}
{{- end -}}
{{- toJson $result -}}
{{- end -}}

{{/* The max-age of HSTS, or 0 unless all of the public URLs use HTTPS. Takes settings and urls. */}}
{{- define "storekeep.hstsMaxAge" -}}
{{- $maxAge := .settings.HSTS_MAX_AGE_SECONDS | int -}}
{{- range .urls -}}
{{- if not (hasPrefix "https://" .) -}}
{{- $maxAge = 0 -}}
{{- end -}}
{{- end -}}
{{- $maxAge -}}
{{- end -}}

{{/* A number in plain decimal notation, never as 1e-05. */}}
{{- define "storekeep.decimal" -}}
{{- regexReplaceAll "0+$" (printf "%.12f" (float64 .)) "" | trimSuffix "." -}}
{{- end -}}

{{/* The string form of a setting; numbers never as 1e+06. */}}
{{- define "storekeep.settingText" -}}
{{- if kindIs "float64" . -}}
{{- include "storekeep.decimal" . -}}
{{- else if not (kindIs "invalid" .) -}}
{{- toString . -}}
{{- end -}}
{{- end -}}
