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

{{/* The labels of every object. Takes root and optionally name, the component. */}}
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

{{/* Name, namespace and labels of an object. Takes root and optionally component and suffix. */}}
{{- define "storekeep.metadata" -}}
name: {{ include "storekeep.fullname" .root }}{{ with .suffix }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "storekeep.labels" (dict "root" .root "name" .component) | nindent 2 }}
{{- end -}}

{{/* The service account of the pods. */}}
{{- define "storekeep.serviceAccountName" -}}
{{- $default := ternary (include "storekeep.fullname" .) "default" .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default $default -}}
{{- end -}}
