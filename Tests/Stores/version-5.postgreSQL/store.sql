--
-- PostgreSQL database dump
--

\restrict VqZUiZvsevVDyqgXEf7zFGa9ZflaspmBhx6CgTyNAVI70ncuW87JmFVxGWnMd8b

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.accounts (
    enterprise text NOT NULL,
    type text NOT NULL,
    id text NOT NULL,
    person bytea,
    muted_until bigint,
    replaced_by_type text,
    replaced_by_id text,
    is_test bigint DEFAULT 0 NOT NULL,
    CONSTRAINT accounts_is_test_check CHECK ((is_test = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);


ALTER TABLE public.accounts OWNER TO bank;

--
-- Name: activations; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.activations (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    issued bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint,
    code bytea,
    claim_digest bytea,
    claim_offer bytea,
    failure_times bytea NOT NULL
);


ALTER TABLE public.activations OWNER TO bank;

--
-- Name: archived_transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.archived_transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint NOT NULL,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.archived_transactions OWNER TO bank;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.attempts (
    device bytea NOT NULL,
    id bytea NOT NULL,
    created bigint NOT NULL,
    fingerprint bytea NOT NULL,
    verdict text NOT NULL
);


ALTER TABLE public.attempts OWNER TO bank;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.audit (
    sequence bigint NOT NULL,
    moment bigint NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    enterprise text,
    account_type text,
    account_id text,
    subject text NOT NULL,
    detail text NOT NULL,
    traces bytea NOT NULL,
    hash bytea NOT NULL
);


ALTER TABLE public.audit OWNER TO bank;

--
-- Name: bank_calls; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_calls (
    enterprise text NOT NULL,
    idempotency_key text NOT NULL,
    created bigint NOT NULL,
    fingerprint bytea NOT NULL,
    outcome text NOT NULL
);


ALTER TABLE public.bank_calls OWNER TO bank;

--
-- Name: bank_tokens; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_tokens (
    id bytea NOT NULL,
    secret_digest bytea NOT NULL,
    name text NOT NULL,
    enterprise text,
    role text NOT NULL,
    created bigint NOT NULL,
    expiry bigint NOT NULL,
    revoked bigint
);


ALTER TABLE public.bank_tokens OWNER TO bank;

--
-- Name: countersign_commits; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_commits (
    writer text NOT NULL,
    place bigint NOT NULL,
    number bigint NOT NULL
);


ALTER TABLE public.countersign_commits OWNER TO bank;

--
-- Name: countersign_store; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_store (
    id bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT countersign_store_id_check CHECK ((id = 1))
);


ALTER TABLE public.countersign_store OWNER TO bank;

--
-- Name: credentials; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.credentials (
    device bytea NOT NULL,
    kind bigint NOT NULL,
    id bytea NOT NULL,
    generation bigint NOT NULL,
    counter bigint NOT NULL,
    status bigint NOT NULL,
    confirmed_epoch bigint NOT NULL,
    seed bytea NOT NULL,
    copy_detected bigint NOT NULL,
    counting_device bytea,
    consecutive_failures bigint NOT NULL,
    consecutive_locks bigint NOT NULL,
    locked_until bigint,
    blocked bigint NOT NULL,
    failure_times bytea NOT NULL,
    CONSTRAINT credentials_counter_check CHECK ((counter >= 0)),
    CONSTRAINT credentials_generation_check CHECK ((generation >= 0))
);


ALTER TABLE public.credentials OWNER TO bank;

--
-- Name: devices; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.devices (
    id bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    public_key bytea,
    token_suite text,
    name text NOT NULL,
    status bigint NOT NULL,
    activated bigint NOT NULL,
    notifications text NOT NULL,
    CONSTRAINT devices_check CHECK (((public_key IS NULL) <> (token_suite IS NULL)))
);


ALTER TABLE public.devices OWNER TO bank;

--
-- Name: enterprises; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.enterprises (
    id text NOT NULL,
    policy text NOT NULL,
    policy_version bigint NOT NULL
);


ALTER TABLE public.enterprises OWNER TO bank;

--
-- Name: imports; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.imports (
    name text NOT NULL,
    line bigint NOT NULL,
    digest bytea NOT NULL,
    accounts bigint NOT NULL,
    tokens bigint NOT NULL,
    rejected bigint NOT NULL
);


ALTER TABLE public.imports OWNER TO bank;

--
-- Name: logins; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.logins (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    device bytea NOT NULL,
    type text NOT NULL,
    data_digest bytea NOT NULL,
    granted bigint NOT NULL,
    redeemed bigint
);


ALTER TABLE public.logins OWNER TO bank;

--
-- Name: outbox; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    target bigint NOT NULL,
    device bytea DEFAULT '\x'::bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    tries bigint NOT NULL,
    started bigint NOT NULL,
    due bigint,
    state bigint NOT NULL
);


ALTER TABLE public.outbox OWNER TO bank;

--
-- Name: rejected_rows; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.rejected_rows (
    import text NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL
);


ALTER TABLE public.rejected_rows OWNER TO bank;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    number bytea,
    state bigint NOT NULL,
    closed bigint,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.transactions OWNER TO bank;

--
-- Name: verifier; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.verifier (
    id bigint NOT NULL,
    store_id bytea NOT NULL,
    epoch bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_moment bigint NOT NULL,
    audit_hash bytea NOT NULL,
    fingerprint_key bytea,
    minimum_key_version bigint NOT NULL,
    is_backup bigint NOT NULL,
    CONSTRAINT verifier_audit_moment_check CHECK ((audit_moment >= 0)),
    CONSTRAINT verifier_audit_sequence_check CHECK ((audit_sequence >= 0)),
    CONSTRAINT verifier_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT verifier_id_check CHECK ((id = 1)),
    CONSTRAINT verifier_is_copy_check CHECK ((is_backup = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT verifier_least_key_version_check CHECK ((minimum_key_version >= 0))
);


ALTER TABLE public.verifier OWNER TO bank;

--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.accounts (enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id, is_test) FROM stdin;
bank	main	4711	\\x7826487b4256edeb7ceb6911582f0f25	1800086400000	\N	\N	0
bank	main	4712	\\x7826487b4256edeb7ceb6911582f0f25	\N	\N	\N	0
bank	main	4715	\N	\N	\N	\N	0
bank	main	4714	\N	\N	main	4715	0
\.


--
-- Data for Name: activations; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.activations (id, enterprise, account_type, account_id, issued, deadline, state, closed, code, claim_digest, claim_offer, failure_times) FROM stdin;
PHGZEF3FNJ	bank	main	4711	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
EM5199NMFA	bank	main	4712	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
WGRJG4SYNS	bank	main	4714	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
DF5CKA3BVX	bank	main	4712	1800691200000	1800777600000	0	\N	\\x0100000001c922cca97441d0eb6a1986321bd5f49d0fee799f5394abe6ebdc60bd60a7257a87ab109b626a14c8c5959a059f2efe1dbc169e	\N	\N	\\x
\.


--
-- Data for Name: archived_transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.archived_transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, state, closed, device, detail, evidence) FROM stdin;
01a3185c50008fc349dc3ca76804bf84	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030386663333439646333636137363830346266383403000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f0000000800000000000000001000000010852529ab6a7f9dd5ad33a7bbdf86d4a0	2	1800000000000	1800000120000	1	1800000000000	\\xea4d5ccf7d981501df5e4bf785fe1abd	userPIN	\\x5f996d14efa49363b07e9262a6221e89df8a0e2f02e1a5f96aad1be6675c236c13001c7700ea29eb167c027c4b80229553bc070d2e73a3fcb36f598a5b14176f0000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031ea4d5ccf7d981501df5e4bf785fe1abd00000020a4fd334f51fb66f0686f8c23a5ddd95935adfc6a4eda514117485bfdccdafdb4a50000000475736572000000000000000000000000000000000000000000000000
01a3185c5000036abb8248d7de0f68fb	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030303336616262383234386437646530663638666203000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f00000008000000000000000010000000106004d75c03eb6c0c0c6499d26557df62	2	1800000000000	1800000120000	2	1800000000000	\\xea4d5ccf7d981501df5e4bf785fe1abd	notMe	\\xb951f2f71c71c2d4c26c202cef497591a031e6e11cdb67a28a2c50522c4a23fb65dc330d50aaa9396cfcc9a1db421fef9a9285ddc8b5932feb533df2f52448e60000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031ea4d5ccf7d981501df5e4bf785fe1abd000000202a4d4acc136b846ae1b01e9a6df444d5b4dc9645306437d99d81f04b42828abe5900000006646576696365000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.attempts (device, id, created, fingerprint, verdict) FROM stdin;
\\xea4d5ccf7d981501df5e4bf785fe1abd	\\xf04126f87101e76b15f07d7aa5dce09f	1800691200000	\\x16be9f44d09dcde00a7fdc1e90211c9c4d23a905f1b162b2256a1aac7610c058	wrong counted 4
\\xea4d5ccf7d981501df5e4bf785fe1abd	\\x6ebbc369d08dff2bbdc98215808f0738	1800691200000	\\x1158ba68ac1c80a57bd7646c138089b2ebe8ffc629f0367e961373d1638ab88e	accepted 01a3418f300046829e2d018b143af044
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.audit (sequence, moment, actor, kind, enterprise, account_type, account_id, subject, detail, traces, hash) FROM stdin;
1	1800000000000	operator	enterprise.created	\N	\N	\N	bank		\\x0000000a02020000000462616e6b00000000000000204e0fc91590c1e47efba43945b1c0cf422f8180b2f5c8e8a2b240b20808379f39	\\x8648a5b51bce2e77f12472f5538b93195f7e7719e710a77bc1fe5b6214b92c00
2	1800000000000	operator	account.created	bank	main	4711	main/4711		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731310000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x3633f16ece8c1e6835e0ee567c2426d475ab811354c4261e85379e84b91869c3
3	1800000000000	token:core	activation.issued	bank	main	4711	PHGZEF3FNJ		\\x0000001004020000000a5048475a454633464e4a00000000000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7	\\xeb9a0076c4fbebc001b8510ab0d1fb20b95ce039ffa39df195ded22594ab30e6
4	1800000000000	verifier	activation.claimed	bank	main	4711	PHGZEF3FNJ		\\x	\\x064ee8428c942a548dcaa19bf014740a9f6b2c92dfcbe9a7986c4855a9ac301e
5	1800000000000	device:ea4d5ccf7d981501df5e4bf785fe1abd	device.activated	bank	main	4711	ea4d5ccf7d981501df5e4bf785fe1abd	PHGZEF3FNJ	\\x0000001004020000000a5048475a454633464e4a000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7000000202c165d7803187e56d38d242a01dcba6a164ad8b7254879acc5e3d4b4d83d490a00000016050300000010ea4d5ccf7d981501df5e4bf785fe1abd0000000000000020f56f3e116700cae23da552ede98084830540b61391b85479e5dac086f1e77e0a0000001f060300000010ea4d5ccf7d981501df5e4bf785fe1abd01000000000000000100000000000000207bad167b5cd1a026e22d77d4d3dfb6de49fee6413c4023511f323ce72238a1390000001f060300000010ea4d5ccf7d981501df5e4bf785fe1abd0100000000000000020000000000000020138a960f136d44515d279f28776981acdabc8294e96f4eb357fe7352f3745bf5	\\xd4abfca352a5d3d478c1c9eecf45b555571878b8ce3e4e89cf16fd3510fc1e2b
6	1800000000000	token:core	device.token-added	bank	main	4711	01a3185c500045d2fef1651faa08d20a	A-1	\\x0000001605030000001001a3185c500045d2fef1651faa08d20a0000000000000020b86ff05a71415f26e54cbbba03446c7f405b21f83edcc1ac99edce12642a892f0000001f06030000001001a3185c500045d2fef1651faa08d20a010000000000000002000000000000002024bec0ce0595f2416a1ea872451e59c517b0fcb8da5a1dc201517acc5b1d92be	\\x5b4ee2974796391f3f999afce8ca374c29a4b7f486d90143878efa185f6c2398
7	1800000000000	token:core	credential.code-accepted	bank	main	4711	664a11c12f44aa87181d69deab5a7c90		\\x0000001f06030000001001a3185c500045d2fef1651faa08d20a0100000000000000020000002024bec0ce0595f2416a1ea872451e59c517b0fcb8da5a1dc201517acc5b1d92be0000002039b501a79d9be0a029ca89e6accf25bbf2d64059b82bcdb530716c16468ec0510000002f0e020000000462616e6b02000000206465313539623661616134383237303462323331393531663162303165393636000000000000002059d87720cd91370527943d4f2ef315509efd1bd60137fbd88ff3f6f308f68e8b	\\xdb53b54c3cb7512b9849aba9b3f3e32963b4320237440186f9790abb8547cbaf
8	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c50008fc349dc3ca76804bf84	notified	\\x0000002608020000002030316133313835633530303038666333343964633363613736383034626638340000000000000020d17e93b87971330df2a7eef0a968894d82dc011e26326453aebc42b29a317c9f	\\xb75ab5d2e1a7eca62ec75d8a03dd035a9c987f9080463a8b7e0f08819e8dfde8
9	1800000000000	device:ea4d5ccf7d981501df5e4bf785fe1abd	transaction.approved	bank	main	4711	01a3185c50008fc349dc3ca76804bf84	userPIN	\\x000000260902000000203031613331383563353030303866633334396463336361373638303462663834000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db824026700000020356f2c23ec007ebfb061c4329181cdcfa9bc1ccf7b307e769b597466e05476eb0000001f060300000010ea4d5ccf7d981501df5e4bf785fe1abd010000000000000001000000207bad167b5cd1a026e22d77d4d3dfb6de49fee6413c4023511f323ce72238a13900000020dce4c9b10392c53428ea315a0b48414767e53c79cc2a3781c776124dc8624bd90000002b0b0300000010ea4d5ccf7d981501df5e4bf785fe1abd03000000107d0722b1a60c226aed7c525989cc057100000000000000200fa7d5b02e8c64ba92a37de43419a0ce27c7a32bb186e2a3091d042d58f0473c	\\xeedeb251d7c053e30b10fde87398cba9fe92126e5337c9049f1bbd17ed4de8d3
10	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000036abb8248d7de0f68fb	notified	\\x0000002608020000002030316133313835633530303030333661626238323438643764653066363866620000000000000020069338435ae86154556f764baa52912ae629ac1cbd64db73a80ce74980c0371b	\\xf7e46a437297ff743f9e8e4c498d819aba1ecd492e5492935f25cd1ea4b2e2ed
11	1800000000000	device:ea4d5ccf7d981501df5e4bf785fe1abd	transaction.rejected	bank	main	4711	01a3185c5000036abb8248d7de0f68fb	notMe	\\x000000260902000000203031613331383563353030303033366162623832343864376465306636386662000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db8240267000000200c9d6ca084f46734a0c306000b9f4979189f6dbb9cde35d006cb3639f2d18a6e0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c	\\xaaa9f21de297cf03c25f0f4af001e79b8d3fce86edb61f738ab17c38eae9be5a
12	1800000000000	device:ea4d5ccf7d981501df5e4bf785fe1abd	transaction.denied-by-person	bank	main	4711	01a3185c5000036abb8248d7de0f68fb		\\x0000001f060300000010ea4d5ccf7d981501df5e4bf785fe1abd01000000000000000200000020138a960f136d44515d279f28776981acdabc8294e96f4eb357fe7352f3745bf50000002067240179aceda140e752e80aaf87f3e4e2d75ee5157a9d8a229933fc839840ca0000002b0b0300000010ea4d5ccf7d981501df5e4bf785fe1abd030000001087be9f1f07fbafa5d6df08ede9041a3f00000000000000203a3c059f925b0c57a1aa0ea2290713b1a594309a024f7b1c7c097c4ebc082cbb	\\x8e02eea6444e62d0af6bb66efb8e7560634750da20c322c9027eb075ebd7eda1
13	1800000000000	token:core	account.created	bank	main	4712	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731320000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x75edd217d805b8879762a8363e339b043d04af9dd42682bedfd51b445bcc001c
14	1800000000000	token:core	account.linked	bank	main	4711	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c00000020369cd11d88932e21940148730ccf10b72033abeca1f64d3d454c1d0a04b257b60000001c03020000000462616e6b02000000046d61696e02000000043437313200000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020ce0cb28937075037cd700f86ea6d89d81e4b23631a64162f54c41007963efe4c	\\x82ef6e71f12d41405d346845387da2daaf8c51b3eeb53351a9170dd160437958
15	1800000000000	token:core	activation.issued	bank	main	4712	EM5199NMFA		\\x0000001004020000000a454d353139394e4d4641000000000000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b6	\\xb4121eff6140be64325e218e2c407141892870a004c4a3478aac7b7ac6b1fb22
16	1800000000000	verifier	activation.claimed	bank	main	4712	EM5199NMFA		\\x	\\x3af0c35db97b1264f8736a1b5b860e04a9217360e54ddc0d00e2670d609b152e
17	1800000000000	device:da290128787b36f40bd30ec71c4085a2	device.activated	bank	main	4712	da290128787b36f40bd30ec71c4085a2	EM5199NMFA	\\x0000001004020000000a454d353139394e4d46410000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b600000020cc8d0c2305410560c547d0a1e3ddafc05d68bda65412a5a4575f63f263aa273700000016050300000010da290128787b36f40bd30ec71c4085a20000000000000020ad56db42a49903f22635f7a21644c0f20920b00cf3e45f34c4715274b7a67ac30000001f060300000010da290128787b36f40bd30ec71c4085a201000000000000000100000000000000208d71fd45246d8f4eb89570056571c8174a36571eaf688d6b8f16685df926b4960000001f060300000010da290128787b36f40bd30ec71c4085a20100000000000000020000000000000020f37579c6163b9174ae4b065f8e9da2f07405659ca34d4594558d44e522264b6a	\\x183b5cd79da480486e717a3576a1c5eb4253a7fcad1fc84c7c4f6bdac63cec6b
18	1800000000000	device:da290128787b36f40bd30ec71c4085a2	device.activated	bank	main	4711	e2a721af051358d5efa9855c41be4090	EM5199NMFA	\\x00000016050300000010e2a721af051358d5efa9855c41be40900000000000000020326dcf1f854c3348141ad3f3111630e60e5f3e2e33ebb790d466128bf6ec3fb80000001f060300000010e2a721af051358d5efa9855c41be40900100000000000000010000000000000020803c7e1d9c7a0e818286c87cc304876808671d8a13bf65c3aebf50259a3c62570000001f060300000010e2a721af051358d5efa9855c41be40900100000000000000020000000000000020d50fb8d2bc463e162f5d672fc874537629f0d25be6c8cb104479de1bda702610	\\x0d94463d22505417bb598d7266a912cb54f0048197fd49fb31c0d60bd97c34d3
19	1800000000000	token:core	account.created	bank	main	4714	main/4714		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731340000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x5ad98cefad103084da4d24cd9f5ad01f9cbcfb2cf4b5f82333d741d070d42e78
20	1800000000000	token:core	activation.issued	bank	main	4714	WGRJG4SYNS		\\x0000001004020000000a5747524a473453594e5300000000000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4	\\x109379728de5ea0d3248e30b91ca9d41a5186588e9c539244061ce693628732b
21	1800000000000	verifier	activation.claimed	bank	main	4714	WGRJG4SYNS		\\x	\\xd710b12e7a3239b62e91143a3fc8aca9ba2e83508a748ad0c97bb29892008b11
22	1800000000000	device:0db783351bf767419ac9cb58212e105a	device.activated	bank	main	4714	0db783351bf767419ac9cb58212e105a	WGRJG4SYNS	\\x0000001004020000000a5747524a473453594e53000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4000000202b8b8df1e67f17d9b6742f0ebf810522131dca58f70b67867231cd62bc8e229f000000160503000000100db783351bf767419ac9cb58212e105a0000000000000020fdf6196fd58878706582e1dca0e5a10099e315f25c772229f8bcee643543c5d30000001f0603000000100db783351bf767419ac9cb58212e105a01000000000000000100000000000000205e7065f0c84ed54e355e6b762aeacd93b20ff18cd7355da73cb79ef51fd4cff90000001f0603000000100db783351bf767419ac9cb58212e105a01000000000000000200000000000000207b0ebf54b300d925e1a43fa7e2bf9232ef5783f57d04ae3bc85b1873203a8ab7	\\x6c9f2d5ce4eb16864739e055920f49eaa707a899ec2be789d0e58654c1c2f3a7
23	1800000000000	token:core	account.created	bank	main	4715	main/4715		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731350000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119000000160503000000100db783351bf767419ac9cb58212e105a00000020fdf6196fd58878706582e1dca0e5a10099e315f25c772229f8bcee643543c5d30000002085593653ced2204df4640ac849c59382a26e1087e1417fcd51f7404bae52582a0000001f0603000000100db783351bf767419ac9cb58212e105a010000000000000001000000205e7065f0c84ed54e355e6b762aeacd93b20ff18cd7355da73cb79ef51fd4cff9000000205e7065f0c84ed54e355e6b762aeacd93b20ff18cd7355da73cb79ef51fd4cff9	\\x2d49e43a6544c32a91280b90abd2cc8a74a1fac190efdb06c6737ec586f7a395
24	1800000000000	token:core	account.replaced	bank	main	4714	main/4715		\\x0000001f0603000000100db783351bf767419ac9cb58212e105a010000000000000002000000207b0ebf54b300d925e1a43fa7e2bf9232ef5783f57d04ae3bc85b1873203a8ab7000000207b0ebf54b300d925e1a43fa7e2bf9232ef5783f57d04ae3bc85b1873203a8ab70000001c03020000000462616e6b02000000046d61696e02000000043437313400000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020696aea2db0b5fd3ff121430ba14fcb8f5611ef51f3be78041fa73d4787369a42	\\xd68a6bb5da87350293e159159e85e9d0b1eca41a12d4b995f119ec58fe7253ec
25	1800000000000	device:0db783351bf767419ac9cb58212e105a	credential.rekeyed	bank	main	4715	df138ab2774dba9468e095aa44f3dff9	1	\\x0000001f0603000000100db783351bf767419ac9cb58212e105a010000000000000001000000205e7065f0c84ed54e355e6b762aeacd93b20ff18cd7355da73cb79ef51fd4cff90000002092c1c821f78dc7a1f6261c03bdc5af535eddc67fb8782146b0a1061080d8cb250000002b0b03000000100db783351bf767419ac9cb58212e105a0300000010f8251e5985e2e293d9bc8e4dda4d4f530000000000000020191cbb2211349e876d569842d1b0f715b8891ec474e40db994b015154f2bf158	\\x31b5644cfdf080e3a48d8734889e5a18172527bcb0022a9d187ce3cb2787057e
26	1800691200000	device:ea4d5ccf7d981501df5e4bf785fe1abd	credential.code-refused	bank	main	4711	6e4e109922114ab5866dbfb3cfe71a40		\\x0000001f070300000010ea4d5ccf7d981501df5e4bf785fe1abd010000000000000001000000208fe73c51adc7fe99c2f9b7d4a3d7d3e60242dc69cda6dd9c40209f6854308c6c0000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002b0b0300000010ea4d5ccf7d981501df5e4bf785fe1abd0300000010f04126f87101e76b15f07d7aa5dce09f0000000000000020c865401bab601afe094c554167612dc2aecb4d2877738973c7e278659bf21012	\\x6bcb71033e269d5c25db13069a95d03ac6ede6ee368dfbd21ac54b4e9c388944
27	1800691200000	device:ea4d5ccf7d981501df5e4bf785fe1abd	credential.code-accepted	bank	main	4711	6e4e109922114ab5866dbfb3cfe71a40	login	\\x000000260a0200000020303161333431386633303030343638323965326430313862313433616630343400000000000000207e3a6907728979eba7911c1cbb46bfe4b1f9242fc81e692a2cc4bb00929611060000001f060300000010ea4d5ccf7d981501df5e4bf785fe1abd01000000000000000100000020dce4c9b10392c53428ea315a0b48414767e53c79cc2a3781c776124dc8624bd90000002078c065408c70cdf53e76b501ac159b4d8e3c18c97f9dd088d478b8e4b975a0f80000001f070300000010ea4d5ccf7d981501df5e4bf785fe1abd0100000000000000010000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002026d113af9b4db7aef3d9fee16c7b1877f33e963d18c6dd1acd9fe7aa3bd6453e0000002b0b0300000010ea4d5ccf7d981501df5e4bf785fe1abd03000000106ebbc369d08dff2bbdc98215808f07380000000000000020e3c23fa354d0123de5e723b27dca320d8bc264680fbb9d3cb07fca4ef0797c10	\\x45c28cfdc42779d0dfc4e7ac9a9edf74314f3f8248fec0406db0685640c53129
28	1800691200000	token:core	activation.issued	bank	main	4712	DF5CKA3BVX		\\x0000001004020000000a444635434b413342565800000000000000203e48fbfc184401809e2849a463ed9353aff2532cfbc83771c21bdc4b5fa8ccb6	\\xbdb5d2c5ac22f3457e3c2e52216b1cb8d3c719c6e5daf31bb0a257838363617c
29	1800691200000	token:core	transaction.created	bank	main	4711	01a3418f300053e925f524416f24f349	notified	\\x0000002608020000002030316133343138663330303035336539323566353234343136663234663334390000000000000020b7b5b176076a6e248d78a4445a8be0d2c1a62f8df6796e452772b40dff17ed04	\\x215dd9c94e6eec5ad1cdfc34f86ef528a2a8c74bf50439f839c6895bfc878e08
\.


--
-- Data for Name: bank_calls; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_calls (enterprise, idempotency_key, created, fingerprint, outcome) FROM stdin;
\.


--
-- Data for Name: bank_tokens; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_tokens (id, secret_digest, name, enterprise, role, created, expiry, revoked) FROM stdin;
\.


--
-- Data for Name: countersign_commits; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_commits (writer, place, number) FROM stdin;
\.


--
-- Data for Name: countersign_store; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_store (id, version) FROM stdin;
1	5
\.


--
-- Data for Name: credentials; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.credentials (device, kind, id, generation, counter, status, confirmed_epoch, seed, copy_detected, counting_device, consecutive_failures, consecutive_locks, locked_until, blocked, failure_times) FROM stdin;
\\x01a3185c500045d2fef1651faa08d20a	2	\\x664a11c12f44aa87181d69deab5a7c90	0	4	1	0	\\x01000000014bbd7f9be07be65b028977dbd03b2f4ee7f282aa058dd9eac14abee7ba0a0cbabc1c7690ab8854dfdf2fa6c6ef4fd93f	0	\N	0	0	\N	0	\\x
\\xea4d5ccf7d981501df5e4bf785fe1abd	2	\\xbf63193d093d51ecd096c204d4d2d30a	0	1	1	0	\\x01000000014a8a35e65745a85332bf1598ccbaf52f581432cd507a4575ce8d6be00015355d9cf4d627a514f3dfe1b542babe5d242e8f31deb2af0cf8360366f5d9	0	\N	0	0	\N	0	\\x
\\xda290128787b36f40bd30ec71c4085a2	1	\\x575a2245a0f15522fe81aaeb9d760bd7	0	0	1	0	\\x0100000001465588481b9f01c1c4f54f631079bd28f28ceae6b28b6cba8ecd11f9a2413c927c44ef14c5a3f364cb0d78e816222bf1747e5e8ead8d374791f766ae	0	\N	0	0	\N	0	\\x
\\xda290128787b36f40bd30ec71c4085a2	2	\\x1c5b71a145b773b03ed0a3b0766ca71d	0	0	1	0	\\x01000000015d8878e63351bc0eae1e3eb55746f1a5de7ceaf3a18fea88bb7a6cdf2ff0d903da1abec3a3191e842b706ea03a7847a7c69f8a6ba18524a9236b8782	0	\N	0	0	\N	0	\\x
\\xe2a721af051358d5efa9855c41be4090	1	\\xb6f6e8c866460b8aab4b0a324483024b	0	0	1	0	\\x010000000136148f4c2fcde5dbc4a2946ffb87b560b8644f0d984d7b35eb88c5ddd1af4f2cccfcaa685b8c5cea812f07b25a1ea716d986f20cdf719ca22309de33	0	\\xda290128787b36f40bd30ec71c4085a2	0	0	\N	0	\\x
\\xe2a721af051358d5efa9855c41be4090	2	\\xcefc8fc33faf42602448c04e3d57dccc	0	0	1	0	\\x0100000001045f8931525234389dc00e6642d34769960f3771d18b9818df6c03ec6a772fc24edd158f12d836effde011cba9b1703e923ae89dc029541cf8bb7894	0	\N	0	0	\N	0	\\x
\\x0db783351bf767419ac9cb58212e105a	2	\\x4d69a02996ef92eff768a691b78ccbaa	0	0	1	0	\\x01000000012f39e7f27ef732866bd4b3f09e430bd9312df60148ec5bfc9ff6f43548ded8bf7dd07540b24e2cf4360c20082b151867de41b9a522a50376088a1b87	0	\N	0	0	\N	0	\\x
\\x0db783351bf767419ac9cb58212e105a	1	\\xdf138ab2774dba9468e095aa44f3dff9	1	1	1	0	\\x01000000015fd8504c25f224e2d5f04c5e2da04717000dd2dec1696049421d6621e0cf631c586f94a41987dfcc6bbb1169ddd414c952c5b244f0493b739f30ae09	0	\N	0	0	\N	0	\\x
\\xea4d5ccf7d981501df5e4bf785fe1abd	1	\\x6e4e109922114ab5866dbfb3cfe71a40	0	2	1	0	\\x0100000001d1b4db4252e4aa03908d0f2fb7e4fb6916df2aa3ef904d01e75074106599a30221cf4749e83b4cee76527f1fdc862e4f884c346c81ca95c526050a4f	0	\N	0	0	\N	0	\\x000001a3418f3000
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.devices (id, enterprise, account_type, account_id, public_key, token_suite, name, status, activated, notifications) FROM stdin;
\\xea4d5ccf7d981501df5e4bf785fe1abd	bank	main	4711	\\x04cf4f00d411716f60dc98f8ade176609f21923afb695fac034ab5ed0345b4f8f4088b7d88c5af8b8f7a14e1577958f42021045e7117d63a1913407f116d48f4cf	\N	Phone	1	1800000000000	
\\x01a3185c500045d2fef1651faa08d20a	bank	main	4711	\N	HOTP-SHA1-6	A-1	1	1800000000000	
\\xda290128787b36f40bd30ec71c4085a2	bank	main	4712	\\x04db16671d73d05bd3959c479b3d1973df6f9a4482fbc079ba55188a437df75729a61088c62e0e566ee01011b46717e3b2baf23dccfdb757bb7a1669c593c8f238	\N	Phone	1	1800000000000	
\\xe2a721af051358d5efa9855c41be4090	bank	main	4711	\\x043e1eb06becf2437c79abbd7362fe413daf03f97a763bba3c1ba7576e5a85e9385207c2eafa63fad54b84c8b0ad3a36e3e7f949715c3d96b3c314e3320cf5e147	\N	Phone	1	1800000000000	
\\x0db783351bf767419ac9cb58212e105a	bank	main	4715	\\x0437df2c34dcaaca654caab43d0ffd8dac652796f76cf87f6b27b5c41231a67e1c80351aae4468c6b0ab965d27b7171418d0fbe83e3910cdb338c9a4f452bc55b1	\N	Phone	1	1800000000000	
\.


--
-- Data for Name: enterprises; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.enterprises (id, policy, policy_version) FROM stdin;
bank	{"minimumTokenDigits": 6}	1
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.imports (name, line, digest, accounts, tokens, rejected) FROM stdin;
\.


--
-- Data for Name: logins; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.logins (id, enterprise, account_type, account_id, device, type, data_digest, granted, redeemed) FROM stdin;
01a3418f300046829e2d018b143af044	bank	main	4711	\\xea4d5ccf7d981501df5e4bf785fe1abd	userPIN	\\x0707070707070707070707070707070707070707070707070707070707070707	1800691200000	\N
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.outbox (sequence, target, device, enterprise, account_type, account_id, subject, tries, started, due, state) FROM stdin;
5	1	\\x	bank	main	4711	ea4d5ccf7d981501df5e4bf785fe1abd	0	1800000000000	1800000000000	0
9	1	\\x	bank	main	4711	01a3185c50008fc349dc3ca76804bf84	0	1800000000000	\N	0
11	1	\\x	bank	main	4711	01a3185c5000036abb8248d7de0f68fb	0	1800000000000	\N	0
12	1	\\x	bank	main	4711	01a3185c5000036abb8248d7de0f68fb	0	1800000000000	\N	0
17	1	\\x	bank	main	4712	da290128787b36f40bd30ec71c4085a2	0	1800000000000	1800000000000	0
18	1	\\x	bank	main	4711	e2a721af051358d5efa9855c41be4090	0	1800000000000	\N	0
22	1	\\x	bank	main	4714	0db783351bf767419ac9cb58212e105a	0	1800000000000	1800000000000	0
25	1	\\x	bank	main	4715	df138ab2774dba9468e095aa44f3dff9	0	1800000000000	1800000000000	0
\.


--
-- Data for Name: rejected_rows; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.rejected_rows (import, line, reason) FROM stdin;
\.


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, number, state, closed, device, detail, evidence) FROM stdin;
01a3418f300053e925f524416f24f349	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333431386633303030353365393235663532343431366632346633343903000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3418f30000e00000008000001a3419104c00f000000080000000000000000100000001091a4dc90ae8e150c6bbb59d6872883f8	2	1800691200000	1800691320000	\N	0	\N	\N	\N	\N
\.


--
-- Data for Name: verifier; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.verifier (id, store_id, epoch, audit_sequence, audit_moment, audit_hash, fingerprint_key, minimum_key_version, is_backup) FROM stdin;
1	\\x01ef0cda84617cae8cfa7cf332184e17	0	29	1800691200000	\\x215dd9c94e6eec5ad1cdfc34f86ef528a2a8c74bf50439f839c6895bfc878e08	\\x01000000013ca0112d3311d7567210d69f5ec0b1f252fc7aef096390e5f0f139f548b621053e39b89d7c061b1692d2a2cac10b152f1a443495ba4c9abc0530a669	0	0
\.


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (enterprise, type, id);


--
-- Name: activations activations_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_pkey PRIMARY KEY (id);


--
-- Name: archived_transactions archived_transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.archived_transactions
    ADD CONSTRAINT archived_transactions_pkey PRIMARY KEY (id);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (device, id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);


--
-- Name: bank_calls bank_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_calls
    ADD CONSTRAINT bank_calls_pkey PRIMARY KEY (enterprise, idempotency_key);


--
-- Name: bank_tokens bank_tokens_name_key; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_name_key UNIQUE (name);


--
-- Name: bank_tokens bank_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_pkey PRIMARY KEY (id);


--
-- Name: countersign_commits countersign_commits_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_commits
    ADD CONSTRAINT countersign_commits_pkey PRIMARY KEY (writer);


--
-- Name: countersign_store countersign_store_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_store
    ADD CONSTRAINT countersign_store_pkey PRIMARY KEY (id);


--
-- Name: credentials credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (device, kind);


--
-- Name: devices devices_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);


--
-- Name: enterprises enterprises_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.enterprises
    ADD CONSTRAINT enterprises_pkey PRIMARY KEY (id);


--
-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (name);


--
-- Name: logins logins_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey1; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey1 PRIMARY KEY (sequence, target, device);


--
-- Name: rejected_rows rejected_rows_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_pkey PRIMARY KEY (import, line);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);


--
-- Name: verifier verifier_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.verifier
    ADD CONSTRAINT verifier_pkey PRIMARY KEY (id);


--
-- Name: accounts_of_person; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX accounts_of_person ON public.accounts USING btree (enterprise, person) WHERE (person IS NOT NULL);


--
-- Name: activations_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_closed ON public.activations USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: activations_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_of_account ON public.activations USING btree (enterprise, account_type, account_id);


--
-- Name: activations_open; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_open ON public.activations USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: archived_transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX archived_transactions_of_account ON public.archived_transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: attempts_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX attempts_made ON public.attempts USING btree (created);


--
-- Name: bank_calls_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX bank_calls_made ON public.bank_calls USING btree (created);


--
-- Name: credentials_counted_with; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX credentials_counted_with ON public.credentials USING btree (counting_device) WHERE (counting_device IS NOT NULL);


--
-- Name: devices_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_of_account ON public.devices USING btree (enterprise, account_type, account_id);


--
-- Name: devices_revoked_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_revoked_tokens ON public.devices USING btree (enterprise, name) WHERE ((token_suite IS NOT NULL) AND (status = 3));


--
-- Name: devices_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE UNIQUE INDEX devices_tokens ON public.devices USING btree (enterprise, name) WHERE ((token_suite IS NOT NULL) AND (status <> 3));


--
-- Name: logins_granted; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX logins_granted ON public.logins USING btree (granted);


--
-- Name: outbox_dead; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_dead ON public.outbox USING btree (enterprise, sequence) WHERE (state = 2);


--
-- Name: outbox_delivered; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_delivered ON public.outbox USING btree (due) WHERE (state = 1);


--
-- Name: outbox_due; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_due ON public.outbox USING btree (target, due) WHERE ((state = 0) AND (due IS NOT NULL));


--
-- Name: outbox_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_of_account ON public.outbox USING btree (enterprise, account_type, account_id, target, sequence) WHERE (state = 0);


--
-- Name: transactions_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_closed ON public.transactions USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_of_account ON public.transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: transactions_pending; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_pending ON public.transactions USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: accounts accounts_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: activations activations_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: bank_tokens bank_tokens_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: credentials credentials_device_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_device_fkey FOREIGN KEY (device) REFERENCES public.devices(id);


--
-- Name: devices devices_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: rejected_rows rejected_rows_import_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_import_fkey FOREIGN KEY (import) REFERENCES public.imports(name);


--
-- Name: transactions transactions_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- PostgreSQL database dump complete
--

\unrestrict VqZUiZvsevVDyqgXEf7zFGa9ZflaspmBhx6CgTyNAVI70ncuW87JmFVxGWnMd8b

