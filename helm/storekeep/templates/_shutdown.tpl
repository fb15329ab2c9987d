{{/*
How a pod ends: it sleeps (preStop), the gateway tells its callers to go (SHUTDOWN_DELAY_MS), what is in flight finishes
(SHUTDOWN_GRACE_MS), and the process cuts itself off 5 s later.
*/}}

{{/* "true" where the cluster knows `sleep` as a step of its own; an image without a shell has no other way to sleep. */}}
{{- define "storekeep.sleepsNatively" -}}
{{- semverCompare ">=1.30.0-0" .Capabilities.KubeVersion.Version | ternary "true" "" -}}
{{- end -}}

{{/* The gateway's own delay; it does the sleeping where the cluster does not. Takes root and component. */}}
{{- define "storekeep.delayMs" -}}
{{- $own := .component.settings.SHUTDOWN_DELAY_MS | int -}}
{{- include "storekeep.sleepsNatively" .root | empty | ternary (add $own (mul 1000 (int .component.preStopSeconds))) $own -}}
{{- end -}}

{{- define "storekeep.lifecycle" -}}
{{- if and (include "storekeep.sleepsNatively" .root) (gt (int .component.preStopSeconds) 0) -}}
lifecycle:
  preStop:
    sleep:
      seconds: {{ .component.preStopSeconds }}
{{- end -}}
{{- end -}}

{{/* Everything above, and 5 s to spare. Takes root, component and settings. */}}
{{- define "storekeep.gracePeriodSeconds" -}}
{{- $sleep := include "storekeep.sleepsNatively" .root | empty | ternary 0 (int .component.preStopSeconds) -}}
{{- $delayMs := .settings.SHUTDOWN_DELAY_MS | default "0" | int -}}
{{- $graceMs := .settings.SHUTDOWN_GRACE_MS | int -}}
{{- add $sleep (div (add $delayMs $graceMs 999) 1000) 5 5 -}}
{{- end -}}
