{{/* Hook annotations of an object of `helm test`, as JSON. Takes the weight. */}}
{{- define "storekeep.testHook" -}}
{{- dict "helm.sh/hook" "test" "helm.sh/hook-weight" (toString .) "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" | toJson -}}
{{- end -}}
