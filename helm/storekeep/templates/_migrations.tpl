{{/* Marks an object that the migrations need before the release itself is there. Takes root, weight and isSecret. */}}
{{- define "storekeep.migrationHook" -}}
{{- if .root.Values.migrations.useHelmHooks -}}
annotations:
  helm.sh/hook: pre-install,pre-upgrade
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded{{ if .isSecret }},hook-failed{{ end }}
{{- end -}}
{{- end -}}

{{/*
The name of the Job. A Job cannot change, so where it is no hook there is one per revision, and one per what it is for tools
to which every revision is the first.
*/}}
{{- define "storekeep.migrationJobEnding" -}}
{{- $hash := include "storekeep.migrationJobSpec" . | sha256sum | trunc 6 -}}
{{- .Values.migrations.useHelmHooks | ternary "migrations" (printf "migrations-%d-%s" .Release.Revision $hash) -}}
{{- end -}}

{{/*
Where the migrations find an address: as a hook they run before the chart's Secret is there and have one of their own.
Takes root, name and setting.
*/}}
{{- define "storekeep.migrationSource" -}}
{{- $source := include "storekeep.secretSource" . | fromYaml -}}
{{- if and (eq $source.from "value") .root.Values.migrations.useHelmHooks -}}
{{- $_ := set $source "secret" (printf "%s-migrations" (include "storekeep.fullname" .root)) -}}
{{- end -}}
{{- toYaml $source -}}
{{- end -}}
