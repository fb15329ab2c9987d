{{/*
A pod shuts down in these steps: it sleeps (preStop), the gateway and the pages ask clients to reconnect (SHUTDOWN_DELAY_MS), requests in
progress finish (SHUTDOWN_GRACE_MS), and the process exits at the latest 5 s later.
*/}}

{{/* "true" if the cluster supports the `sleep` lifecycle action; an image without a shell cannot sleep otherwise. */}}
{{- define "storekeep.hasNativeSleep" -}}
{{- semverCompare ">=1.30.0-0" .Capabilities.KubeVersion.Version | ternary "true" "" -}}
{{- end -}}

{{/* The delay of the gateway or the pages, which includes preStopSeconds if the cluster has no native sleep. Takes root and component. */}}
{{- define "storekeep.delayMs" -}}
{{- $own := .component.settings.SHUTDOWN_DELAY_MS | int -}}
{{- include "storekeep.hasNativeSleep" .root | empty | ternary (add $own (mul 1000 (int .component.preStopSeconds))) $own -}}
{{- end -}}

{{- define "storekeep.lifecycle" -}}
{{- if and (include "storekeep.hasNativeSleep" .root) (gt (int .component.preStopSeconds) 0) -}}
lifecycle:
  preStop:
    sleep:
      seconds: {{ .component.preStopSeconds }}
{{- end -}}
{{- end -}}

{{/* The sum of the steps above plus a margin of 5 s. Takes root, component and settings. */}}
{{- define "storekeep.gracePeriodSeconds" -}}
{{- $sleep := include "storekeep.hasNativeSleep" .root | empty | ternary 0 (int .component.preStopSeconds) -}}
{{- $delayMs := .settings.SHUTDOWN_DELAY_MS | default "0" | int -}}
{{- $graceMs := .settings.SHUTDOWN_GRACE_MS | int -}}
{{- add $sleep (div (add $delayMs $graceMs 999) 1000) 5 5 -}}
{{- end -}}
