-- 1- and 2-grams of the customer's names, except those of only a-z and 0-9. The trigram index of search_text cannot find
-- substrings that short, nor characters that the locale does not consider letters. Chinese names often have two
-- characters. Written by the service.
alter table customer add column short_ngrams text[] not null default '{}';

create index customer_short_ngrams on customer using gin (short_ngrams) where short_ngrams <> '{}';
