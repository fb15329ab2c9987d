{{/*
The Postgres connections that a component's pods may open, including pods that a rollout adds: Kubernetes rounds
percentages up. As JSON with pods, each and total. Takes root and name.
*/}}
{{- define "storekeep.connectionsOf" -}}
{{- $component := include "storekeep.component" . | fromJson -}}
{{- $each := dig "settings" "DATABASE_CONNECTIONS" .root.Values.serviceSettings.DATABASE_CONNECTIONS $component | int -}}
{{- $pods := include "storekeep.maxReplicas" $component | int -}}
{{- $surge := toString $component.updateStrategy.maxSurge -}}
{{- $percentage := mul (trimSuffix "%" $surge | int) $pods -}}
{{- $added := hasSuffix "%" $surge | ternary (div (add $percentage 99) 100) ($surge | int) -}}
{{- $total := mul (add $pods $added) $each -}}
{{- dict "pods" (add $pods $added) "each" $each "total" $total | toJson -}}
{{- end -}}

{{/* The connections that Postgres must accept for these services, and the arithmetic, as JSON. Takes root and names. */}}
{{- define "storekeep.requiredConnections" -}}
{{- $total := 3 -}}
{{- $terms := list -}}
{{- range $name := .names -}}
{{- $one := include "storekeep.connectionsOf" (dict "root" $.root "name" $name) | fromJson -}}
{{- $total = add $total $one.total 1 -}}
{{- $terms = append $terms (printf "%s %d x %d" $name (int $one.pods) (int $one.each)) -}}
{{- end -}}
{{- $terms = append $terms (printf "migrations %d, reserved for administrators 3" (len .names)) -}}
{{- dict "total" $total "terms" (join ", " $terms) | toJson -}}
{{- end -}}

{{- define "storekeep.connectionErrors" -}}
{{- $errors := list -}}
{{- $shared := list -}}
{{- $names := include "storekeep.serviceNames" . | fromJsonArray -}}
{{- range $name := $names -}}
{{- $own := get $.Values.database.maxConnectionsOf $name | default 0 | int -}}
{{- if $own -}}
{{- $errors = concat $errors (include "storekeep.serverErrors" (dict "root" $ "names" (list $name) "max" $own "path" (printf "database.maxConnectionsOf.%s" $name)) | fromJsonArray) -}}
{{- else -}}
{{- $shared = append $shared $name -}}
{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.database.maxConnectionsOf -}}
{{- if not (has $name $names) -}}
{{- $errors = append $errors (printf "database.maxConnectionsOf.%s is not a service of this release." $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.database.maxConnections $shared -}}
{{- $errors = concat $errors (include "storekeep.serverErrors" (dict "root" . "names" $shared "max" (int .Values.database.maxConnections) "path" "database.maxConnections") | fromJsonArray) -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{- define "storekeep.serverErrors" -}}
{{- $required := include "storekeep.requiredConnections" . | fromJson -}}
{{- if gt (int $required.total) .max -}}
{{- list (printf "%s is %d, but the pods may open %d connections at the maximum of the autoscalers, including the additional pods of a rollout (%s). Raise max_connections of Postgres and this value, or lower DATABASE_CONNECTIONS in serviceSettings or in the settings of a service, or use a pooler." .path .max (int $required.total) $required.terms) | toJson -}}
{{- else -}}
[]
{{- end -}}
{{- end -}}
