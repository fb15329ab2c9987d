{{/* The chart name or nameOverride. */}}
{{- define "storekeep.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The prefix of all object names, truncated to leave room for the longest suffix. */}}
{{- define "storekeep.fullname" -}}
{{- $name := include "storekeep.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $full | trunc 38 | trimSuffix "-" -}}
{{- end -}}

{{/* The selector labels of a component, or of the whole release without a name. Takes root and name. */}}
{{- define "storekeep.selector" -}}
app.kubernetes.io/name: {{ include "storekeep.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- if .name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}
{{- end -}}

{{/* Labels without versions, for pods that an upgrade of the chart must not restart. Takes root and name. */}}
{{- define "storekeep.stableLabels" -}}
{{ include "storekeep.selector" . }}
app.kubernetes.io/part-of: storekeep
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The labels of every object. Takes root and optionally name, the component, and extra labels. */}}
{{- define "storekeep.labels" -}}
{{- $known := include "storekeep.selector" . | fromYaml -}}
{{- $_ := set $known "app.kubernetes.io/part-of" "storekeep" -}}
{{- $_ := set $known "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $known "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set $known "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_") -}}
{{- merge $known (.extra | default dict) .root.Values.commonLabels | toYaml -}}
{{- end -}}

{{/*
Name, namespace, labels and annotations of an object. Takes root and optionally component, suffix, name instead of a suffix,
labels and annotations.
*/}}
{{- define "storekeep.metadata" -}}
name: {{ .name | default (printf "%s-%s" (include "storekeep.fullname" .root) (.suffix | default "") | trimSuffix "-") }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "storekeep.labels" (dict "root" .root "name" .component "extra" .labels) | nindent 2 }}
{{- with merge (dict) (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The service account of the pods. */}}
{{- define "storekeep.serviceAccountName" -}}
{{- $default := ternary (include "storekeep.fullname" .) "default" .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default $default -}}
{{- end -}}
