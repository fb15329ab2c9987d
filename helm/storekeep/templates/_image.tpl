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
{{- $shared := .root.Values.image -}}
{{- $own := (include "storekeep.ownValues" . | fromJson).image | default dict -}}
{{- $repository := $own.repository | default (printf "%s/%s" $shared.repository .name) -}}
{{- $image := dict "registry" ($own.registry | default $shared.registry) "repository" $repository "tag" ($own.tag | default $shared.tag) "digest" $own.digest -}}
{{- include "storekeep.image" (dict "root" .root "image" $image "tag" .root.Chart.AppVersion) -}}
{{- end -}}

{{/* The image pull secrets of a pod. */}}
{{- define "storekeep.imagePullSecrets" -}}
{{- with concat (.Values.global.imagePullSecrets | default list) .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ kindIs "string" . | ternary . (get (kindIs "map" . | ternary . dict) "name") }}
  {{- end }}
{{- end }}
{{- end -}}
