/// The digits of each country with its name in everyday words, in English and in German.
///
/// A name that is the same in both languages is written once. No name has a comma, because
/// `IssuerText.merchant` ends with a comma and the name.
let countryTable: StaticString = """
    ISO 3166-1
        004 Afghanistan
        008 Albania|Albanien
        010 Antarctica|Antarktis
        012 Algeria|Algerien
        016 American Samoa|Amerikanisch-Samoa
        020 Andorra
        024 Angola
        028 Antigua and Barbuda|Antigua und Barbuda
        031 Azerbaijan|Aserbaidschan
        032 Argentina|Argentinien
        036 Australia|Australien
        040 Austria|Österreich
        044 Bahamas
        048 Bahrain
        050 Bangladesh|Bangladesch
        051 Armenia|Armenien
        052 Barbados
        056 Belgium|Belgien
        060 Bermuda
        064 Bhutan
        068 Bolivia|Bolivien
        070 Bosnia and Herzegovina|Bosnien und Herzegowina
        072 Botswana|Botsuana
        074 Bouvet Island|Bouvetinsel
        076 Brazil|Brasilien
        084 Belize
        086 British Indian Ocean Territory|Britisches Territorium im Indischen Ozean
        090 Solomon Islands|Salomonen
        092 British Virgin Islands|Britische Jungferninseln
        096 Brunei
        100 Bulgaria|Bulgarien
        104 Myanmar
        108 Burundi
        112 Belarus
        116 Cambodia|Kambodscha
        120 Cameroon|Kamerun
        124 Canada|Kanada
        132 Cabo Verde
        136 Cayman Islands|Kaimaninseln
        140 Central African Republic|Zentralafrikanische Republik
        144 Sri Lanka
        148 Chad|Tschad
        152 Chile
        156 China
        158 Taiwan
        162 Christmas Island|Weihnachtsinsel
        166 Cocos Islands|Kokosinseln
        170 Colombia|Kolumbien
        174 Comoros|Komoren
        175 Mayotte
        178 Republic of the Congo|Republik Kongo
        180 Democratic Republic of the Congo|Demokratische Republik Kongo
        184 Cook Islands|Cookinseln
        188 Costa Rica
        191 Croatia|Kroatien
        192 Cuba|Kuba
        196 Cyprus|Zypern
        203 Czechia|Tschechien
        204 Benin
        208 Denmark|Dänemark
        212 Dominica
        214 Dominican Republic|Dominikanische Republik
        218 Ecuador
        222 El Salvador
        226 Equatorial Guinea|Äquatorialguinea
        231 Ethiopia|Äthiopien
        232 Eritrea
        233 Estonia|Estland
        234 Faroe Islands|Färöer
        238 Falkland Islands|Falklandinseln
        239 South Georgia and the South Sandwich Islands|Südgeorgien und die Südlichen Sandwichinseln
        242 Fiji|Fidschi
        246 Finland|Finnland
        248 Åland Islands|Ålandinseln
        250 France|Frankreich
        254 French Guiana|Französisch-Guayana
        258 French Polynesia|Französisch-Polynesien
        260 French Southern Territories|Französische Südgebiete
        262 Djibouti|Dschibuti
        266 Gabon|Gabun
        268 Georgia|Georgien
        270 Gambia
        275 Palestine|Palästina
        276 Germany|Deutschland
        288 Ghana
        292 Gibraltar
        296 Kiribati
        300 Greece|Griechenland
        304 Greenland|Grönland
        308 Grenada
        312 Guadeloupe
        316 Guam
        320 Guatemala
        324 Guinea
        328 Guyana
        332 Haiti
        334 Heard Island and McDonald Islands|Heard und McDonaldinseln
        336 Vatican City|Vatikanstadt
        340 Honduras
        344 Hong Kong|Hongkong
        348 Hungary|Ungarn
        352 Iceland|Island
        356 India|Indien
        360 Indonesia|Indonesien
        364 Iran
        368 Iraq|Irak
        372 Ireland|Irland
        376 Israel
        380 Italy|Italien
        384 Côte d'Ivoire
        388 Jamaica|Jamaika
        392 Japan
        398 Kazakhstan|Kasachstan
        400 Jordan|Jordanien
        404 Kenya|Kenia
        408 North Korea|Nordkorea
        410 South Korea|Südkorea
        414 Kuwait
        417 Kyrgyzstan|Kirgisistan
        418 Laos
        422 Lebanon|Libanon
        426 Lesotho
        428 Latvia|Lettland
        430 Liberia
        434 Libya|Libyen
        438 Liechtenstein
        440 Lithuania|Litauen
        442 Luxembourg|Luxemburg
        446 Macao|Macau
        450 Madagascar|Madagaskar
        454 Malawi
        458 Malaysia
        462 Maldives|Malediven
        466 Mali
        470 Malta
        474 Martinique
        478 Mauritania|Mauretanien
        480 Mauritius
        484 Mexico|Mexiko
        492 Monaco
        496 Mongolia|Mongolei
        498 Moldova|Moldau
        499 Montenegro
        500 Montserrat
        504 Morocco|Marokko
        508 Mozambique|Mosambik
        512 Oman
        516 Namibia
        520 Nauru
        524 Nepal
        528 Netherlands|Niederlande
        531 Curaçao
        533 Aruba
        534 Sint Maarten
        535 Caribbean Netherlands|Karibische Niederlande
        540 New Caledonia|Neukaledonien
        548 Vanuatu
        554 New Zealand|Neuseeland
        558 Nicaragua
        562 Niger
        566 Nigeria
        570 Niue
        574 Norfolk Island|Norfolkinsel
        578 Norway|Norwegen
        580 Northern Mariana Islands|Nördliche Marianen
        581 United States Minor Outlying Islands|Kleinere Amerikanische Überseeinseln
        583 Micronesia|Mikronesien
        584 Marshall Islands|Marshallinseln
        585 Palau
        586 Pakistan
        591 Panama
        598 Papua New Guinea|Papua-Neuguinea
        600 Paraguay
        604 Peru
        608 Philippines|Philippinen
        612 Pitcairn|Pitcairninseln
        616 Poland|Polen
        620 Portugal
        624 Guinea-Bissau
        626 Timor-Leste
        630 Puerto Rico
        634 Qatar|Katar
        638 Réunion
        642 Romania|Rumänien
        643 Russia|Russland
        646 Rwanda|Ruanda
        652 Saint Barthélemy|Saint-Barthélemy
        654 Saint Helena|St. Helena
        659 Saint Kitts and Nevis|St. Kitts und Nevis
        660 Anguilla
        662 Saint Lucia|St. Lucia
        663 Saint Martin|Saint-Martin
        666 Saint Pierre and Miquelon|Saint-Pierre und Miquelon
        670 Saint Vincent and the Grenadines|St. Vincent und die Grenadinen
        674 San Marino
        678 São Tomé and Príncipe|São Tomé und Príncipe
        682 Saudi Arabia|Saudi-Arabien
        686 Senegal
        688 Serbia|Serbien
        690 Seychelles|Seychellen
        694 Sierra Leone
        702 Singapore|Singapur
        703 Slovakia|Slowakei
        704 Vietnam
        705 Slovenia|Slowenien
        706 Somalia
        710 South Africa|Südafrika
        716 Zimbabwe|Simbabwe
        724 Spain|Spanien
        728 South Sudan|Südsudan
        729 Sudan
        732 Western Sahara|Westsahara
        740 Suriname
        744 Svalbard and Jan Mayen|Spitzbergen und Jan Mayen
        748 Eswatini
        752 Sweden|Schweden
        756 Switzerland|Schweiz
        760 Syria|Syrien
        762 Tajikistan|Tadschikistan
        764 Thailand
        768 Togo
        772 Tokelau
        776 Tonga
        780 Trinidad and Tobago|Trinidad und Tobago
        784 United Arab Emirates|Vereinigte Arabische Emirate
        788 Tunisia|Tunesien
        792 Türkiye|Türkei
        795 Turkmenistan
        796 Turks and Caicos Islands|Turks- und Caicosinseln
        798 Tuvalu
        800 Uganda
        804 Ukraine
        807 North Macedonia|Nordmazedonien
        818 Egypt|Ägypten
        826 United Kingdom|Vereinigtes Königreich
        831 Guernsey
        832 Jersey
        833 Isle of Man|Insel Man
        834 Tanzania|Tansania
        840 United States|Vereinigte Staaten
        850 U.S. Virgin Islands|Amerikanische Jungferninseln
        854 Burkina Faso
        858 Uruguay
        860 Uzbekistan|Usbekistan
        862 Venezuela
        876 Wallis and Futuna|Wallis und Futuna
        882 Samoa
        887 Yemen|Jemen
        894 Zambia|Sambia
    """
