{{/* The security context of a pod, and no service account token. */}}
{{- define "storekeep.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- range $field, $id := .Values.security }}
  {{ $field }}: {{ int64 $id }}
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* Containers from the values, whose security context defaults to the chart's. Takes root and containers. */}}
{{- define "storekeep.extraContainers" -}}
{{- $containers := list -}}
{{- range .containers -}}
{{- $containers = append $containers (mustMergeOverwrite (include "storekeep.containerSecurity" $.root | fromYaml) (deepCopy .)) -}}
{{- end -}}
{{- toYaml $containers -}}
{{- end -}}

{{/* The security context of a container. */}}
{{- define "storekeep.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
{{- end -}}
