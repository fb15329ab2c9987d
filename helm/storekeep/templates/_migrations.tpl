{{/* Annotations of an object that migrations need before the release exists, as JSON. Takes root, weight and isSecret. */}}
{{- define "storekeep.migrationHook" -}}
{{- if .root.Values.migrations.useHelmHooks -}}
{{- $deletion := printf "before-hook-creation,hook-succeeded%s" (.isSecret | default false | ternary ",hook-failed" "") -}}
{{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" (toString .weight) "helm.sh/hook-delete-policy" $deletion -}}
{{- merge $hook .root.Values.migrations.annotations | toJson -}}
{{- else -}}
{{- .root.Values.migrations.annotations | toJson -}}
{{- end -}}
{{- end -}}

{{/*
The service account of the migrations. A hook runs before the chart's service account exists, so by default it is empty: the
namespace's default.
*/}}
{{- define "storekeep.migrationServiceAccount" -}}
{{- $own := .Values.migrations.serviceAccount -}}
{{- if $own.create -}}
{{- $own.name | default (printf "%s-migrations" (include "storekeep.fullname" .)) -}}
{{- else if $own.name -}}
{{- $own.name -}}
{{- else if not (and .Values.migrations.useHelmHooks .Values.serviceAccount.create) -}}
{{- include "storekeep.serviceAccountName" . -}}
{{- end -}}
{{- end -}}

{{/*
The suffix of the Job's name. A Job is immutable, so unless it is a hook its name contains the revision, and a hash of its
spec for tools that render every revision as the first.
*/}}
{{- define "storekeep.migrationJobSuffix" -}}
{{- $hash := include "storekeep.migrationJobSpec" . | sha256sum | trunc 6 -}}
{{- .Values.migrations.useHelmHooks | ternary "migrations" (printf "migrations-%d-%s" .Release.Revision $hash) -}}
{{- end -}}

{{/*
The source of a database URL for the migrations. A hook runs before the chart's Secret exists and uses a separate one.
Takes root, name and setting.
*/}}
{{- define "storekeep.migrationSource" -}}
{{- $source := include "storekeep.secretSource" . | fromJson -}}
{{- if and (eq $source.from "value") .root.Values.migrations.useHelmHooks -}}
{{- $_ := set $source "secret" (printf "%s-migrations" (include "storekeep.fullname" .root)) -}}
{{- end -}}
{{- toJson $source -}}
{{- end -}}
