{{/* Every wrong combination of values, as YAML `problems: []`, each a sentence. */}}
{{- define "storekeep.problems" -}}
{{- $problems := concat
  (include "storekeep.imageProblems" . | fromYaml).problems
  (include "storekeep.secretProblems" . | fromYaml).problems
  (include "storekeep.componentProblems" . | fromYaml).problems
  (include "storekeep.publicProblems" . | fromYaml).problems
  (include "storekeep.telemetryProblems" . | fromYaml).problems
  (include "storekeep.bundledProblems" . | fromYaml).problems
  (include "storekeep.tlsProblems" . | fromYaml).problems -}}
problems: {{ $problems | toJson }}
{{- end -}}

{{- define "storekeep.imageProblems" -}}
{{- $problems := list -}}
{{- $images := dict "image" .Values.image -}}
{{- range $server, $values := .Values.bundled -}}
{{- $_ := set $images (printf "bundled.%s.image" $server) $values.image -}}
{{- end -}}
{{- range $place, $image := $images -}}
{{- if eq ($image.tag | default "") "latest" -}}
{{- $problems = append $problems (printf "%s.tag is latest, which says nothing about what runs; name a version or a digest." $place) -}}
{{- end -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}

{{- define "storekeep.secretProblems" -}}
{{- $root := . -}}
{{- $problems := list -}}
{{- range $name := (include "storekeep.componentNames" . | fromYaml).names -}}
{{- $component := include "storekeep.component" (dict "root" $root "name" $name) | fromYaml -}}
{{- $place := eq $name "gateway" | ternary "gateway" (printf "services.%s" $name) -}}
{{- range $setting := $component.secretSettings -}}
{{- $source := include "storekeep.secretSource" (dict "root" $root "name" $name "setting" $setting) | fromYaml -}}
{{- if eq $source.from "nowhere" -}}
{{- $where := has $setting (list "NATS_URL" "REDIS_URL") | ternary (printf "secrets.%s" $setting) (printf "%s.secrets.%s" $place $setting) -}}
{{- $problems = append $problems (printf "%s is missing: give existingSecret, or %s its value or its existingSecret." $where $where) -}}
{{- end -}}
{{- end -}}
{{- range $setting, $given := $component.secrets -}}
{{- if and $given.value $given.existingSecret -}}
{{- $problems = append $problems (printf "%s.secrets.%s has a value and an existingSecret; keep one of them." $place $setting) -}}
{{- end -}}
{{- if and $given.key (not $given.existingSecret) -}}
{{- $problems = append $problems (printf "%s.secrets.%s has a key, but no existingSecret in which it could be." $place $setting) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $setting, $given := .Values.secrets -}}
{{- if and $given.value $given.existingSecret -}}
{{- $problems = append $problems (printf "secrets.%s has a value and an existingSecret; keep one of them." $setting) -}}
{{- end -}}
{{- if and $given.key (not $given.existingSecret) -}}
{{- $problems = append $problems (printf "secrets.%s has a key, but no existingSecret in which it could be." $setting) -}}
{{- end -}}
{{- end -}}
{{- $places := dict "defaults" .Values.defaults "gateway" .Values.gateway -}}
{{- range $name, $values := .Values.services -}}
{{- $_ := set $places (printf "services.%s" $name) $values -}}
{{- end -}}
{{- range $place, $values := $places -}}
{{- range $values.extraEnv -}}
{{- if eq .name "DATABASE_ADMIN_URL" -}}
{{- $problems = append $problems (printf "%s.extraEnv sets DATABASE_ADMIN_URL, which would give pods that take requests a login that may do everything in the database; use secrets.DATABASE_ADMIN_URL, which the migrations alone get." $place) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.existingSecret .Values.generateSecrets -}}
{{- $problems = append $problems "existingSecret and generateSecrets are both set; secrets are either yours or made up." -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}

{{- define "storekeep.componentProblems" -}}
{{- $root := . -}}
{{- $problems := list -}}
{{- range $name := (include "storekeep.componentNames" . | fromYaml).names -}}
{{- $component := include "storekeep.component" (dict "root" $root "name" $name) | fromYaml -}}
{{- $place := eq $name "gateway" | ternary "gateway" (printf "services.%s" $name) -}}
{{- $scaling := $component.autoscaling -}}
{{- $fewest := $scaling.enabled | ternary $scaling.minReplicas $component.replicas | int -}}
{{- $budget := $component.podDisruptionBudget -}}
{{- /* Kubernetes rounds a share up. */ -}}
{{- $share := hasSuffix "%" (toString $budget.minAvailable) -}}
{{- $kept := $share | ternary (div (add (mul (trimSuffix "%" (toString $budget.minAvailable) | int) $fewest) 99) 100) (int $budget.minAvailable) | int -}}
{{- if and $budget.enabled (ge $kept $fewest) -}}
{{- $problems = append $problems (printf "%s runs %d pods and its podDisruptionBudget keeps %d of them, so no node could ever be drained; run more pods or set podDisruptionBudget.enabled to false." $place $fewest $kept) -}}
{{- end -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- $problems = append $problems (printf "%s.autoscaling.minReplicas is greater than maxReplicas." $place) -}}
{{- end -}}
{{- if and $scaling.enabled (not (dig "requests" "cpu" "" $component.resources)) -}}
{{- $problems = append $problems (printf "%s.autoscaling follows the share of the requested CPU, but resources.requests.cpu is not set." $place) -}}
{{- end -}}
{{- if and (eq (trimSuffix "%" (toString $component.updateStrategy.maxUnavailable)) "0") (eq (trimSuffix "%" (toString $component.updateStrategy.maxSurge)) "0") -}}
{{- $problems = append $problems (printf "%s.updateStrategy allows neither a missing nor an additional pod, so no release could ever begin." $place) -}}
{{- end -}}
{{- $settings := include "storekeep.settings" (dict "root" $root "component" $component) | fromYaml -}}
{{- $known := concat (keys $settings) $component.secretSettings $component.optionalSecretSettings -}}
{{- range $component.extraEnv -}}
{{- if has .name $known -}}
{{- $problems = append $problems (printf "%s.extraEnv sets %s, which the chart sets itself; use %s.settings or %s.secrets." $place .name $place $place) -}}
{{- end -}}
{{- end -}}
{{- if eq ($settings.GRPC_PORT | default "") ($settings.METRICS_PORT | default "none") -}}
{{- $problems = append $problems (printf "%s has GRPC_PORT and METRICS_PORT on one port; they must differ." $place) -}}
{{- end -}}
{{- if eq ($settings.PORT | default "") ($settings.METRICS_PORT | default "none") -}}
{{- $problems = append $problems (printf "%s has PORT and METRICS_PORT on one port; they must differ." $place) -}}
{{- end -}}
{{- range $setting, $path := $component.publicPaths -}}
{{- if not (get $settings $setting) -}}
{{- $problems = append $problems (printf "%s.settings.%s is missing; set it, or publicBaseUrl, of which it is then %s." $place $setting $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $customers := .Values.services.customers -}}
{{- if contains "steam" ($customers.settings.PROFILE_PROVIDERS | default "") -}}
{{- $source := include "storekeep.secretSource" (dict "root" . "name" "customers" "setting" "STEAM_API_KEY") | fromYaml -}}
{{- if eq $source.from "nowhere" -}}
{{- $problems = append $problems "services.customers.settings.PROFILE_PROVIDERS has steam, which needs services.customers.secrets.STEAM_API_KEY." -}}
{{- end -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}

{{- define "storekeep.publicProblems" -}}
{{- $problems := list -}}
{{- if and (or .Values.ingress.enabled .Values.httpRoute.enabled) (not .Values.gateway.settings.TRUSTED_PROXIES) -}}
{{- $problems = append $problems "gateway.settings.TRUSTED_PROXIES is empty behind an Ingress or a Gateway, so all callers would count as one and share one rate limit; set it to the network of the proxy's pods, such as 10.0.0.0/8." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- $problems = append $problems "ingress.enabled is true, but ingress.hosts names no host." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- $problems = append $problems "httpRoute.enabled is true, but httpRoute.parentRefs names no Gateway." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.hostnames) -}}
{{- $problems = append $problems "httpRoute.enabled is true, but httpRoute.hostnames names no host." -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $problems = append $problems "serviceAccount.create is false, so serviceAccount.name must say which account the pods run as." -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled .Values.metrics.serviceMonitor.enabled (not .Values.networkPolicy.metricsFrom) -}}
{{- $problems = append $problems "metrics.serviceMonitor is enabled, but networkPolicy.metricsFrom lets nobody in; name the pods of Prometheus there." -}}
{{- end -}}
{{- if and .Values.metrics.prometheusRule.enabled (not .Values.metrics.serviceMonitor.enabled) (not .Values.networkPolicy.metricsFrom) -}}
{{- $problems = append $problems "metrics.prometheusRule is enabled, but no Prometheus reads the metrics, so every alert of a missing process would fire for ever; set metrics.serviceMonitor.enabled, or networkPolicy.metricsFrom if you have a monitor of your own." -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}

{{- define "storekeep.telemetryProblems" -}}
{{- $problems := list -}}
{{- if .Values.telemetry.otlp.endpoint -}}
{{- if eq (include "storekeep.collectorPort" .) "4317" -}}
{{- $problems = append $problems "telemetry.otlp.endpoint has port 4317, where collectors take OTLP over gRPC; traces are sent over HTTP, for which the port is usually 4318." -}}
{{- end -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}

{{- define "storekeep.bundledProblems" -}}
{{- $problems := list -}}
{{- $bundled := .Values.bundled -}}
{{- if and $bundled.postgres.enabled .Values.migrations.enabled .Values.migrations.useHelmHooks -}}
{{- $problems = append $problems "bundled.postgres is not there yet when Helm hooks run; set migrations.useHelmHooks to false." -}}
{{- end -}}
{{- if and $bundled.postgres.enabled (not .Values.migrations.enabled) -}}
{{- $problems = append $problems "bundled.postgres begins empty and only the migrations Job makes roles in it; set migrations.enabled to true." -}}
{{- end -}}
{{- range $server, $setting := dict "nats" "NATS_URL" "redis" "REDIS_URL" "postgres" "DATABASE_ADMIN_URL" -}}
{{- $given := get $.Values.secrets $setting | default dict -}}
{{- if and (get $bundled $server).enabled (or $given.value $given.existingSecret) -}}
{{- $problems = append $problems (printf "bundled.%s is enabled and secrets.%s names a server of yours; keep one of them." $server $setting) -}}
{{- end -}}
{{- end -}}
problems: {{ $problems | toJson }}
{{- end -}}
