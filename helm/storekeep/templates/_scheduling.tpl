{{/* Priority class, node selector and tolerations. Takes the values of a component, or the defaults. */}}
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

{{/* All scheduling fields of a component. Takes root and component. */}}
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
    # Count only pods of the same revision, so that old pods do not constrain new ones.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "storekeep.selector" (dict "root" $root "name" $component.name) | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}
{{- end -}}
