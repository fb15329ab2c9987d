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

{{/* The image of a service or of the gateway. Takes root and name. */}}
{{- define "storekeep.ownImage" -}}
{{- $shared := .root.Values.image -}}
{{- $own := (eq .name "gateway" | ternary .root.Values.gateway (get .root.Values.services .name | default dict)).image | default dict -}}
{{- $image := dict "registry" $shared.registry "repository" (printf "%s/%s" $shared.repository .name) "tag" $shared.tag "digest" $own.digest -}}
{{- include "storekeep.image" (dict "root" .root "image" $image "tag" .root.Chart.AppVersion) -}}
{{- end -}}

{{/* The pull secrets of a pod. */}}
{{- define "storekeep.imagePullSecrets" -}}
{{- with concat .Values.global.imagePullSecrets .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
