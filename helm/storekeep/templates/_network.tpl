{{/* The pods of the given components as peers of a NetworkPolicy rule. Takes root and names. */}}
{{- define "storekeep.peers" -}}
- podSelector:
    matchLabels:
      {{- include "storekeep.selector" (dict "root" .root) | nindent 6 }}
    matchExpressions:
      - key: app.kubernetes.io/component
        operator: In
        values: {{ .names | toJson }}
{{- end -}}

{{/* Egress to Postgres, NATS or Redis: to the bundled pod, or to the configured peers. Takes root, server
and optionally otherPort. */}}
{{- define "storekeep.serverEgress" -}}
{{- $target := get .root.Values.networkPolicy .server -}}
{{- $isBundled := (get .root.Values.bundled .server).enabled -}}
- ports:
    - port: {{ $isBundled | ternary (include "storekeep.bundledPort" .server | int) $target.port }}
      protocol: TCP
    {{- if and .otherPort (not $isBundled) }}
    - port: {{ .otherPort }}
      protocol: TCP
    {{- end }}
  {{- if $isBundled }}
  to:
    {{- include "storekeep.peers" (dict "root" .root "names" (list .server)) | nindent 4 }}
  {{- else if $target.to }}
  to:
    {{- toYaml $target.to | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "storekeep.bundledPort" -}}
{{- get (dict "postgres" 5432 "nats" 4222 "redis" 6379) . -}}
{{- end -}}

{{/* The port of the trace collector. */}}
{{- define "storekeep.collectorPort" -}}
{{- $address := urlParse .Values.telemetry.otlp.endpoint -}}
{{- $defaultPort := eq $address.scheme "https" | ternary "443" "80" -}}
{{- regexFind ":[0-9]+$" $address.host | trimPrefix ":" | default $defaultPort -}}
{{- end -}}

{{/* Egress to the DNS servers. */}}
{{- define "storekeep.dnsEgress" -}}
{{- with .Values.networkPolicy.dns -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
      protocol: UDP
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}
