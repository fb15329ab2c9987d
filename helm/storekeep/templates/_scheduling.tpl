{{/* Which nodes a pod may run on, and what it yields to. Takes the values of a component, or the defaults. */}}
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
{{- end -}}

{{/* Where a component's pods run. Takes root and component. */}}
{{- define "storekeep.scheduling" -}}
{{- $root := .root -}}
{{- with .component -}}
{{- $component := . -}}
{{- include "storekeep.placement" . }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpread.keys }}
topologySpreadConstraints:
  {{- range . }}
  - topologyKey: {{ . }}
    maxSkew: {{ $component.topologySpread.maxSkew }}
    whenUnsatisfiable: {{ $component.topologySpread.whenUnsatisfiable }}
    # Only pods of one release count, so that old ones do not crowd out the new.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "storekeep.selector" (dict "root" $root "name" $component.name) | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}
{{- end -}}
