{{/*
Readiness is what gRPC health says: its own database answers, its schema is new enough, it is not leaving. Over TLS the
cluster could not ask for it, having no certificate, so there it asks for the same over HTTP. Start and liveness are the
process alone, so that an outage elsewhere never starts pods again. Takes probes, isGateway, isTls and grpcPort.
*/}}
{{- define "storekeep.probes" -}}
{{- range $kind := list "startup" "readiness" "liveness" }}
{{- $probe := get $.probes $kind }}
{{ $kind }}Probe:
  {{- if ne $kind "readiness" }}
  httpGet:
    path: /healthz
    port: {{ $.isGateway | ternary "http" "metrics" }}
  {{- else if or $.isGateway $.isTls }}
  httpGet:
    path: /readyz
    port: {{ $.isGateway | ternary "http" "metrics" }}
  {{- else }}
  grpc:
    port: {{ $.grpcPort }}
  {{- end }}
  {{- toYaml $probe | nindent 2 }}
{{- end }}
{{- end -}}
