{{/* The name of the chart, or what takes its place. */}}
{{- define "storekeep.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What the names of all objects begin with; short enough for the longest ending. */}}
{{- define "storekeep.fullname" -}}
{{- $name := include "storekeep.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- .Values.fullnameOverride | default $full | trunc 38 | trimSuffix "-" -}}
{{- end -}}

{{/* What selects the pods of a component. Takes root and name. */}}
{{- define "storekeep.selector" -}}
app.kubernetes.io/name: {{ include "storekeep.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- if .name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}
{{- end -}}

{{/* The labels of pods that a new version of the chart is no reason to start again. Takes root and name. */}}
{{- define "storekeep.steadyLabels" -}}
{{ include "storekeep.selector" . }}
app.kubernetes.io/part-of: storekeep
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The labels of every object. Takes root and the component's name, which may be missing. */}}
{{- define "storekeep.labels" -}}
{{ include "storekeep.selector" . }}
app.kubernetes.io/part-of: storekeep
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Name, namespace and labels of an object. Takes root, component and the ending of the name, either of which may be missing. */}}
{{- define "storekeep.metadata" -}}
name: {{ include "storekeep.fullname" .root }}{{ with .ending }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "storekeep.labels" (dict "root" .root "name" .component) | nindent 2 }}
{{- end -}}

{{/* The account that pods run as. */}}
{{- define "storekeep.serviceAccountName" -}}
{{- $made := ternary (include "storekeep.fullname" .) "default" .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default $made -}}
{{- end -}}
