{{/*
Readiness is what gRPC health says (its own database answers, its schema is new enough, it is not leaving). Liveness is the
event loop alone. Takes component.
*/}}
{{- define "storekeep.probes" -}}
{{- range $kind := list "startup" "readiness" "liveness" }}
{{- $probe := get $.probes $kind }}
{{ $kind }}Probe:
  {{- if $.isGateway }}
  httpGet:
    path: {{ eq $kind "liveness" | ternary "/healthz" "/readyz" }}
    port: http
  {{- else if eq $kind "liveness" }}
  httpGet:
    path: /healthz
    port: metrics
  {{- else }}
  grpc:
    port: {{ $.grpcPort }}
  {{- end }}
  {{- toYaml $probe | nindent 2 }}
{{- end }}
{{- end -}}
