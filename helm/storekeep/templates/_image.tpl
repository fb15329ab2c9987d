{{/* The address of an image. Takes root, image, and the tag that holds when the image names none. */}}
{{- define "storekeep.image" -}}
{{- $registry := .root.Values.global.imageRegistry | default .image.registry -}}
{{- $path := printf "%s/%s" $registry .image.repository | trimPrefix "/" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" $path .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $path (.image.tag | default .tag) -}}
{{- end -}}
{{- end -}}

{{/* The image of Storekeep itself. */}}
{{- define "storekeep.ownImage" -}}
{{- include "storekeep.image" (dict "root" . "image" .Values.image "tag" .Chart.AppVersion) -}}
{{- end -}}

{{/* The pull secrets of a pod. */}}
{{- define "storekeep.imagePullSecrets" -}}
{{- with concat .Values.global.imagePullSecrets .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
