{{/* How all pods are placed and run, including pods of Jobs. Takes the values of a component, or the defaults. */}}
{{- define "storekeep.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .schedulerName }}
schedulerName: {{ . }}
{{- end }}
{{- with .dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .hostAliases }}
hostAliases:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* All scheduling fields of a component. Takes root and component. */}}
{{- define "storekeep.scheduling" -}}
{{- $selector := dict "matchLabels" (include "storekeep.selector" (dict "root" .root "name" .component.name) | fromYaml) -}}
{{- with .component -}}
{{- include "storekeep.placement" . }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  - {{- mustMergeOverwrite (dict "labelSelector" $selector "matchLabelKeys" (list "pod-template-hash")) (deepCopy .) | toYaml | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}
{{- end -}}
