{{/* The pods of some components, as peers of a NetworkPolicy rule. Takes root and names. */}}
{{- define "storekeep.peers" -}}
- podSelector:
    matchLabels:
      {{- include "storekeep.selector" (dict "root" .root) | nindent 6 }}
    matchExpressions:
      - key: app.kubernetes.io/component
        operator: In
        values: {{ .names | toJson }}
{{- end -}}

{{/* The way to Postgres, NATS or Redis: the bundled pod, or where the values say. Takes root and server. */}}
{{- define "storekeep.serverEgress" -}}
{{- $place := get .root.Values.networkPolicy .server -}}
{{- $isBundled := (get .root.Values.bundled .server).enabled -}}
- ports:
    - port: {{ $isBundled | ternary (include "storekeep.bundledPort" .server | int) $place.port }}
      protocol: TCP
  {{- if $isBundled }}
  to:
    {{- include "storekeep.peers" (dict "root" .root "names" (list .server)) | nindent 4 }}
  {{- else if $place.to }}
  to:
    {{- toYaml $place.to | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "storekeep.bundledPort" -}}
{{- get (dict "postgres" 5432 "nats" 4222 "redis" 6379) . -}}
{{- end -}}

{{/* The port at which the collector of traces takes them. */}}
{{- define "storekeep.collectorPort" -}}
{{- $address := urlParse .Values.telemetry.otlp.endpoint -}}
{{- $usual := eq $address.scheme "https" | ternary "443" "80" -}}
{{- regexFind ":[0-9]+$" $address.host | trimPrefix ":" | default $usual -}}
{{- end -}}

{{/* The way to the name servers. */}}
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
