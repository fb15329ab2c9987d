{{/*
Readiness is gRPC health: the database responds, its schema is current and the process is not shutting down. With TLS, the
kubelet has no client certificate, so it checks the same over HTTP. Startup and liveness check the process alone, so that an
outage of another server never restarts pods. The pages serve both on the port of their metrics, which no Ingress reaches. Takes
probes, component, isTls and grpcPort.
*/}}
{{- define "storekeep.probes" -}}
{{- range $kind := list "startup" "readiness" "liveness" }}
{{- $probe := get $.probes $kind }}
{{ $kind }}Probe:
  {{- if ne $kind "readiness" }}
  httpGet:
    path: /healthz
    port: {{ $.component.isGateway | ternary "http" "metrics" }}
  {{- else if or (not $.component.isService) $.isTls }}
  httpGet:
    path: /readyz
    port: {{ $.component.isGateway | ternary "http" "metrics" }}
  {{- else }}
  grpc:
    port: {{ $.grpcPort }}
  {{- end }}
  {{- toYaml $probe | nindent 2 }}
{{- end }}
{{- end -}}
