{{/* The settings of a component that are no secret, as YAML, each a text. Empty ones are left to the code. Takes root and component. */}}
{{- define "storekeep.settings" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $settings := deepCopy ($component.settings | default dict) -}}
{{- if $component.isGateway -}}
{{- $_ := set $settings "HOST" "0.0.0.0" -}}
{{- $_ := set $settings "PUBLIC_BASE_URL" $root.Values.publicBaseUrl -}}
{{- $_ := set $settings "RATE_LIMIT_REPLICAS" (include "storekeep.mostReplicas" $component) -}}
{{- $_ := set $settings "SHUTDOWN_DELAY_MS" (include "storekeep.delayMs" .) -}}
{{- else -}}
{{- $settings = mustMergeOverwrite (deepCopy $root.Values.serviceSettings) $settings -}}
{{- $_ := set $settings "GRPC_HOST" "0.0.0.0" -}}
{{- $_ := set $settings "MIGRATE" ($root.Values.migrations.enabled | ternary "false" "true") -}}
{{- range $setting, $path := $component.publicPaths -}}
{{- $derived := empty $root.Values.publicBaseUrl | ternary "" (printf "%s%s" (trimSuffix "/" $root.Values.publicBaseUrl) $path) -}}
{{- $_ := set $settings $setting (get $settings $setting | default $derived) -}}
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
{{- range $component.calls -}}
{{- $_ := set $settings (include "storekeep.addressSetting" .) (include "storekeep.address" (dict "root" $root "name" .)) -}}
{{- end -}}
{{- $tls := dict "root" $root "name" $component.name "isCalled" (not $component.isGateway) -}}
{{- $settings = mustMergeOverwrite $settings (include "storekeep.tlsSettings" $tls | fromYaml) -}}
{{- range $setting, $value := $settings }}
{{- $text := include "storekeep.text" $value }}
{{- if $text }}
{{ $setting }}: {{ $text | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A number with all its decimals, never as 1e-05. */}}
{{- define "storekeep.decimal" -}}
{{- regexReplaceAll "0+$" (printf "%.12f" (float64 .)) "" | trimSuffix "." -}}
{{- end -}}

{{/* A value as a setting is written: whole numbers never as 1e+06. */}}
{{- define "storekeep.text" -}}
{{- if kindIs "float64" . -}}
{{- printf "%.0f" . -}}
{{- else if not (kindIs "invalid" .) -}}
{{- toString . -}}
{{- end -}}
{{- end -}}
