{{/*
Readiness is what gRPC health says: its own database answers, its schema is new enough, it is not leaving. Start and
liveness are the process alone, so that an outage elsewhere never starts pods again. Takes component.
*/}}
{{- define "storekeep.probes" -}}
{{- range $kind := list "startup" "readiness" "liveness" }}
{{- $probe := get $.probes $kind }}
{{ $kind }}Probe:
  {{- if ne $kind "readiness" }}
  httpGet:
    path: /healthz
    port: {{ $.isGateway | ternary "http" "metrics" }}
  {{- else if $.isGateway }}
  httpGet:
    path: /readyz
    port: http
  {{- else }}
  grpc:
    port: {{ $.grpcPort }}
  {{- end }}
  {{- toYaml $probe | nindent 2 }}
{{- end }}
{{- end -}}
