{{/* Hook annotations of an object of `helm test`. Takes the weight. */}}
{{- define "storekeep.testHook" -}}
annotations:
  helm.sh/hook: test
  helm.sh/hook-weight: {{ . | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
