{{/* An image reference. Takes root, image and tag, the default tag. */}}
{{- define "storekeep.image" -}}
{{- $registry := .root.Values.global.imageRegistry | default .image.registry -}}
{{- $path := printf "%s/%s" $registry .image.repository | trimPrefix "/" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" $path .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $path (.image.tag | default .tag) -}}
{{- end -}}
{{- end -}}

{{/* The image of a component. Takes root and name. */}}
{{- define "storekeep.componentImage" -}}
{{- $isPercentaged := .root.Values.image -}}
{{- $own := (include "storekeep.ownValues" . | fromJson).image | default dict -}}
{{- $image := dict "registry" $isPercentaged.registry "repository" (printf "%s/%s" $isPercentaged.repository .name) "tag" $isPercentaged.tag "digest" $own.digest -}}
{{- include "storekeep.image" (dict "root" .root "image" $image "tag" .root.Chart.AppVersion) -}}
{{- end -}}

{{/* The image pull secrets of a pod. */}}
{{- define "storekeep.imagePullSecrets" -}}
{{- with concat .Values.global.imagePullSecrets .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
