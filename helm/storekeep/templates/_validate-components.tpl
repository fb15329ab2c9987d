{{/*
Where a field of a component is set: in its own values, or in values that it shares with others. Errors in shared values are
therefore the same for every component, and reported once. Takes own, path, field and shared, the path of the shared values.
*/}}
{{- define "storekeep.fieldPath" -}}
{{- $isOwn := false -}}
{{- range splitList " " .field -}}
{{- if and (hasKey $.own .) (ne (toString (get $.own .)) "") -}}
{{- $isOwn = true -}}
{{- end -}}
{{- end -}}
{{- $isOwn | ternary .path .shared -}}
{{- end -}}

{{- define "storekeep.componentErrors" -}}
{{- $errors := include "storekeep.pageUrlErrors" . | fromJsonArray -}}
{{- range $name := include "storekeep.componentNames" . | fromJsonArray -}}
{{- $component := include "storekeep.component" (dict "root" $ "name" $name) | fromJson -}}
{{- $own := include "storekeep.ownValues" (dict "root" $ "name" $name) | fromJson -}}
{{- $context := dict "root" $ "component" $component "own" $own "path" (include "storekeep.valuesPath" $name) "shared" "defaults" -}}
{{- $errors = concat $errors
  (include "storekeep.scalingErrors" $context | fromJsonArray)
  (include "storekeep.podErrors" $context | fromJsonArray)
  (include "storekeep.settingErrors" $context | fromJsonArray) -}}
{{- end -}}
{{- if include "storekeep.runs" (dict "root" . "name" "migrations") -}}
{{- /* The migrations Job uses the volumes of `defaults`, which every component may override. */ -}}
{{- $context := dict "path" "defaults" "volumes" .Values.defaults.extraVolumes "mounts" .Values.defaults.extraVolumeMounts "isTls" false -}}
{{- $errors = concat $errors (include "storekeep.mountErrors" $context | fromJsonArray) -}}
{{- end -}}
{{- range $path, $resources := dict "adminTools.resources" .Values.adminTools.resources "migrations.resources" .Values.migrations.resources -}}
{{- $errors = concat $errors (include "storekeep.resourceErrors" (dict "path" $path "resources" $resources) | fromJsonArray) -}}
{{- end -}}
{{- range $name, $setting := dict "webhooks" "WEBHOOKS_ALLOWED_NETWORKS" "images" "IMAGES_ALLOWED_NETWORKS" -}}
{{- $list := get (get $.Values.services $name).settings $setting | default "" -}}
{{- $networks := dict "path" (printf "services.%s.settings.%s" $name $setting) "networks" $list -}}
{{- $errors = concat $errors (include "storekeep.networkListErrors" $networks | fromJsonArray) -}}
{{- end -}}
{{- $customers := .Values.services.customers -}}
{{- if contains "steam" ($customers.settings.PROFILE_PROVIDERS | default "") -}}
{{- $source := include "storekeep.secretSource" (dict "root" . "name" "customers" "setting" "STEAM_API_KEY") | fromJson -}}
{{- if eq $source.from "missing" -}}
{{- $errors = append $errors "services.customers.settings.PROFILE_PROVIDERS includes steam, which requires services.customers.secrets.STEAM_API_KEY." -}}
{{- end -}}
{{- end -}}
{{- $emails := .Values.services.emails -}}
{{- $smtp := $emails.secrets.SMTP_URL | default dict -}}
{{- if and (or $smtp.value $smtp.existingSecret) (not $emails.settings.EMAIL_FROM) -}}
{{- $errors = append $errors "services.emails.secrets.SMTP_URL requires services.emails.settings.EMAIL_FROM, the address of the sender." -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Number of pods, autoscaling, PodDisruptionBudget and rollouts. */}}
{{- define "storekeep.scalingErrors" -}}
{{- $errors := list -}}
{{- $component := .component -}}
{{- $scaling := $component.autoscaling -}}
{{- $minPods := $scaling.enabled | ternary $scaling.minReplicas $component.replicaCount -}}
{{- $budget := $component.podDisruptionBudget -}}
{{- $path := include "storekeep.fieldPath" (merge (dict "field" "replicaCount autoscaling podDisruptionBudget") .) -}}
{{- $isUnknown := eq (toString $minPods) "" -}}
{{- if ne (toString $budget.maxUnavailable) "" -}}
{{- if and $budget.enabled (eq (trimSuffix "%" (toString $budget.maxUnavailable)) "0") -}}
{{- $errors = append $errors (printf "%s.podDisruptionBudget.maxUnavailable is %v, so nodes can never be drained; raise it or set podDisruptionBudget.enabled to false." $path $budget.maxUnavailable) -}}
{{- end -}}
{{- else -}}
{{- /* Kubernetes rounds percentages up. */ -}}
{{- $isPercentage := hasSuffix "%" (toString $budget.minAvailable) -}}
{{- $keptPods := $isPercentage | ternary (div (add (mul (trimSuffix "%" (toString $budget.minAvailable) | int) (int $minPods)) 99) 100) (int $budget.minAvailable) | int -}}
{{- if and $budget.enabled (not $isUnknown) (ge $keptPods (int $minPods)) -}}
{{- $errors = append $errors (printf "%s: %d pods and a podDisruptionBudget that requires %d available pods, so nodes can never be drained; increase replicaCount or set podDisruptionBudget.enabled to false." $path (int $minPods) $keptPods) -}}
{{- end -}}
{{- end -}}
{{- $path = include "storekeep.fieldPath" (merge (dict "field" "autoscaling") .) -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- $errors = append $errors (printf "%s.autoscaling.minReplicas is greater than maxReplicas." $path) -}}
{{- end -}}
{{- if and $scaling.enabled (not (dig "requests" "cpu" "" $component.resources)) -}}
{{- $path = include "storekeep.fieldPath" (merge (dict "field" "autoscaling resources") .) -}}
{{- $errors = append $errors (printf "%s.autoscaling targets a percentage of the requested CPU, but resources.requests.cpu is not set." $path) -}}
{{- end -}}
{{- if and (eq (trimSuffix "%" (toString $component.updateStrategy.maxUnavailable)) "0") (eq (trimSuffix "%" (toString $component.updateStrategy.maxSurge)) "0") -}}
{{- $path = include "storekeep.fieldPath" (merge (dict "field" "updateStrategy") .) -}}
{{- $errors = append $errors (printf "%s.updateStrategy sets both maxUnavailable and maxSurge to 0, so a rollout can never proceed." $path) -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Fields that Kubernetes would reject in the pods. */}}
{{- define "storekeep.podErrors" -}}
{{- $component := .component -}}
{{- $context := . -}}
{{- $paths := dict -}}
{{- range list "resources" "tolerations" "podLabels" "nodeSelector" "extraVolumes extraVolumeMounts" -}}
{{- $_ := set $paths . (include "storekeep.fieldPath" (merge (dict "field" .) $context)) -}}
{{- end -}}
{{- $mounts := dict "path" (get $paths "extraVolumes extraVolumeMounts") "volumes" $component.extraVolumes "mounts" $component.extraVolumeMounts -}}
{{- concat
  (include "storekeep.resourceErrors" (dict "path" (print $paths.resources ".resources") "resources" $component.resources) | fromJsonArray)
  (include "storekeep.tolerationErrors" (dict "path" (print $paths.tolerations ".tolerations") "tolerations" $component.tolerations) | fromJsonArray)
  (include "storekeep.labelErrors" (dict "path" (print $paths.podLabels ".podLabels") "labels" $component.podLabels) | fromJsonArray)
  (include "storekeep.labelErrors" (dict "path" (print $paths.nodeSelector ".nodeSelector") "labels" $component.nodeSelector) | fromJsonArray)
  (include "storekeep.mountErrors" (merge (dict "isTls" .root.Values.tls.enabled) $mounts) | fromJsonArray)
  | toJson -}}
{{- end -}}

{{/* Settings and environment variables. */}}
{{- define "storekeep.settingErrors" -}}
{{- $errors := list -}}
{{- $component := .component -}}
{{- $settings := include "storekeep.settings" (dict "root" .root "component" $component) | fromJson -}}
{{- $credentials := list "DATABASE_USER" "DATABASE_PASSWORD" "NATS_USER" "NATS_PASSWORD" "REDIS_USER" "REDIS_PASSWORD" "REDIS_SENTINEL_USER" "REDIS_SENTINEL_PASSWORD" -}}
{{- $known := concat (keys $settings) $credentials $component.secretSettings $component.optionalSecretSettings -}}
{{- $path := include "storekeep.fieldPath" (merge (dict "field" "extraEnv") .) -}}
{{- $seen := list -}}
{{- range $component.extraEnv -}}
{{- if eq .name "DATABASE_ADMIN_URL" -}}
{{- $errors = append $errors (printf "%s.extraEnv sets DATABASE_ADMIN_URL, which would give administrator access to pods that serve requests; use secrets.DATABASE_ADMIN_URL, which only the migrations Job receives." $path) -}}
{{- else if has .name $known -}}
{{- $errors = append $errors (printf "%s.extraEnv sets %s, which the chart manages; use settings or secrets." $path .name) -}}
{{- else if has .name $seen -}}
{{- $errors = append $errors (printf "%s.extraEnv sets %s twice; remove one of them." $path .name) -}}
{{- end -}}
{{- $seen = append $seen .name -}}
{{- end -}}
{{- if $component.isService -}}
{{- $own := dict "own" (.own.settings | default dict) "path" .path "shared" "serviceSettings" "field" "GRPC_PORT METRICS_PORT" -}}
{{- if eq $settings.GRPC_PORT $settings.METRICS_PORT -}}
{{- $errors = append $errors (printf "%s uses the same port for GRPC_PORT and METRICS_PORT; they must differ." (include "storekeep.fieldPath" $own)) -}}
{{- end -}}
{{- else -}}
{{- if eq $settings.PORT $settings.METRICS_PORT -}}
{{- $errors = append $errors (printf "%s uses the same port for PORT and METRICS_PORT; they must differ." .path) -}}
{{- end -}}
{{- if eq (toString .own.service.port) $settings.METRICS_PORT -}}
{{- $errors = append $errors (printf "%s.service.port is %s, which is also METRICS_PORT; the ports of a Service must differ." .path $settings.METRICS_PORT) -}}
{{- end -}}
{{- $proxies := dict "path" (print .path ".settings.TRUSTED_PROXIES") "networks" (.own.settings.TRUSTED_PROXIES | default "") -}}
{{- $errors = concat $errors (include "storekeep.networkListErrors" $proxies | fromJsonArray) -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* Takes path, networks, a comma-separated list of networks and addresses. */}}
{{- define "storekeep.networkListErrors" -}}
{{- $errors := list -}}
{{- range compact (splitList "," .networks) -}}
{{- $network := trim . -}}
{{- $isNoAddress := include "storekeep.isAddress" $network | empty -}}
{{- $problem := contains "/" $network | ternary (include "storekeep.cidrProblem" $network) ($isNoAddress | ternary "is neither an IP address nor a network" "") -}}
{{- if $problem -}}
{{- $errors = append $errors (printf "%s contains %s, which %s." $.path $network $problem) -}}
{{- end -}}
{{- end -}}
{{- $errors | toJson -}}
{{- end -}}

{{/* The settings with the addresses of the pages, which are derived from one value. */}}
{{- define "storekeep.pageUrlErrors" -}}
{{- $urls := include "storekeep.pageUrls" . | fromJson -}}
{{- $missing := list -}}
{{- range $name, $known := (.Files.Get "files/services.yaml" | fromYaml).services -}}
{{- range $setting, $path := $known.publicPaths | default dict -}}
{{- if not (hasKey $urls $setting) -}}
{{- $missing = append $missing (printf "services.%s.settings.%s" $name $setting) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- list (printf "%s %s missing; set publicBaseUrl or pages.publicBaseUrl, which links to the pages start with." (sortAlpha $missing | join ", ") (gt (len $missing) 1 | ternary "are" "is")) | toJson -}}
{{- else -}}
[]
{{- end -}}
{{- end -}}
